import { omitUndefined } from "@baton/core/text/omit-undefined";
import { realpathSync } from "node:fs";
import path from "node:path";
import {
  agent,
  PROTOCOL_VERSION,
  RequestError,
  type AgentApp,
  type AgentContext,
  type ClientCapabilities,
  type McpServer,
} from "@agentclientprotocol/sdk";
import { readAllEvents } from "@baton/core/client/follow-events";
import { refusalOf } from "@baton/core/client/rpc-errors";
import type { InboxItem } from "@baton/core/protocol/request";
import type { Api, DaemonConnection } from "../connection/daemon-connection.ts";
import { VERSION } from "../program/version.ts";
import { registerClientServers, type RegisteredClientServers } from "./client-mcp-servers.ts";
import { parsePrompt, invalidPrompt } from "./parse-prompt.ts";
import { attachAcpSession, type AcpClientCapabilities, type Attachment } from "./session.ts";

const PAGE = 100;

/** The real path of a folder, as the daemon names it. A folder that does not exist keeps its given path. */
function realPath(cwd: string): string {
  try {
    return realpathSync(cwd);
  } catch {
    return path.resolve(cwd);
  }
}

type Opening = { cwd?: string; servers?: readonly McpServer[] | undefined; replay?: boolean };

type Agent = { app: AgentApp; requests: (items: readonly InboxItem[]) => void; fail: (message: string) => void };

/** The agent side of the protocol: maps each method to calls of the daemon. */
export function createAgent(link: () => Promise<DaemonConnection>): Agent {
  const attached = new Map<string, Attachment>();
  const clientServers = new Map<string, RegisteredClientServers>();
  let abilities: AcpClientCapabilities = { forms: false, compaction: false };
  let inbox: readonly InboxItem[] = [];

  const at = (id: string): Attachment => attached.get(id) ?? missing(id);
  const show = (session: Attachment) => session.requests(inbox.filter(({ rootSessionId }) => rootSessionId === session.id));
  const drop = (id: string) => {
    attached.get(id)?.detach();
    attached.delete(id);
    clientServers.get(id)?.remove();
    clientServers.delete(id);
  };

  const open = async (id: string, client: AgentContext, { cwd, servers = [], replay = false }: Opening): Promise<Attachment> => {
    const { api } = await link();
    const { seq, state } = await api.session.open.query({ sessionId: id, tail: 1 });
    if (cwd !== undefined && realPath(cwd) !== state.workspace)
      throw invalidPrompt(`Session ${id} works in ${state.workspace}, not in ${cwd}. Pass that folder as cwd, or create a new session.`);
    const registered = await registerClientServers(api, state.workspace, servers);
    const earlier = replay ? (await readAllEvents(api, id)).filter((event) => event.seq <= seq) : [];
    drop(id);
    clientServers.set(id, registered);
    const session = attachAcpSession({ api, client, abilities, id, after: seq, state, earlier });
    attached.set(id, session);
    await session.loaded;
    // Sent after the answer that tells the client about the session.
    setImmediate(() => {
      show(session);
      sendCommands(session, api, client).catch(() => undefined); // the user can still type them
    });
    return session;
  };

  const app = agent({ name: "baton" })
    .onRequest("initialize", ({ params: { clientCapabilities } }) => {
      abilities = toAbilities(clientCapabilities);
      return {
        protocolVersion: PROTOCOL_VERSION,
        agentInfo: { name: "baton", title: "Baton", version: VERSION },
        agentCapabilities: {
          loadSession: true,
          mcpCapabilities: { http: true, sse: true },
          promptCapabilities: { image: true, embeddedContext: true },
          sessionCapabilities: { list: {}, resume: {}, close: {}, delete: {} },
        },
        authMethods: [],
      };
    })
    .onRequest(
      "session/new",
      withProtocolErrors(async ({ params: { cwd, mcpServers: servers }, client }) => {
        const { api } = await link();
        if (!path.isAbsolute(cwd)) throw invalidPrompt(`cwd must be an absolute path, but it is ${cwd}.`);
        const { id } = await api.session.create.mutate({ workspace: cwd, askTrust: true });
        if (id === undefined) throw new Error("the daemon created a session without an id");
        return { sessionId: id, ...(await (await open(id, client, { servers })).offer()) };
      }),
    )
    .onRequest(
      "session/load",
      withProtocolErrors(async ({ params: { sessionId, cwd, mcpServers: servers }, client }) =>
        (await open(sessionId, client, { cwd, servers, replay: true })).offer(),
      ),
    )
    .onRequest(
      "session/resume",
      withProtocolErrors(async ({ params: { sessionId, cwd, mcpServers: servers }, client }) =>
        (await open(sessionId, client, { cwd, servers })).offer(),
      ),
    )
    .onRequest(
      "session/list",
      withProtocolErrors(async ({ params: { cwd, cursor } }) => listSessions((await link()).api, cwd ?? undefined, cursor ?? undefined)),
    )
    .onRequest(
      "session/prompt",
      withProtocolErrors(async ({ params: { sessionId, prompt }, client }) => {
        const response = await at(sessionId).prompt(await parsePrompt(prompt, (await link()).api));
        const problems =
          (await clientServers
            .get(sessionId)
            ?.newProblems()
            .catch(() => undefined)) ?? []; // the turn has ended in any case
        for (const text of problems)
          await client.notify("session/update", {
            sessionId,
            update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text: `\n\n${text}\n` } },
          });
        return response;
      }),
    )
    .onNotification("session/cancel", ({ params: { sessionId } }) => attached.get(sessionId)?.cancel())
    .onRequest(
      "session/set_mode",
      withProtocolErrors(async ({ params: { sessionId, modeId } }) => {
        await choose(at(sessionId), "mode", modeId);
        return {};
      }),
    )
    .onRequest(
      "session/set_config_option",
      withProtocolErrors(async ({ params: { sessionId, configId, value } }) => {
        const session = at(sessionId);
        await choose(session, configId, value);
        return { configOptions: (await session.offer()).configOptions };
      }),
    )
    .onRequest(
      "session/close",
      withProtocolErrors(async ({ params: { sessionId } }) => {
        await at(sessionId).cancel();
        drop(sessionId);
        return {};
      }),
    )
    .onRequest(
      "session/delete",
      withProtocolErrors(async ({ params: { sessionId } }) => {
        drop(sessionId);
        await (await link()).api.session.delete.mutate({ sessionId });
        return {};
      }),
    );

  return {
    app,
    requests(items) {
      inbox = items;
      for (const session of attached.values()) show(session);
    },
    fail(message) {
      for (const session of attached.values()) session.fail(message);
    },
  };
}

/** Reports refusals of the daemon to the client as errors with the same message. */
function withProtocolErrors<Context, Given>(answer: (context: Context) => Promise<Given>): (context: Context) => Promise<Given> {
  return async (context) => {
    try {
      return await answer(context);
    } catch (error) {
      if (error instanceof RequestError) throw error;
      const refused = refusalOf(error);
      if (refused) throw new RequestError(refused.code.endsWith("_not_found") ? NOT_FOUND : INVALID, refused.message);
      throw new RequestError(INTERNAL, error instanceof Error ? error.message : String(error));
    }
  };
}

const [NOT_FOUND, INVALID, INTERNAL] = [-32_002, -32_602, -32_603];

const missing = (id: string): never => {
  throw new RequestError(NOT_FOUND, `Session ${id} is not loaded. Load or resume it first.`);
};

const toAbilities = (capabilities: ClientCapabilities | undefined): AcpClientCapabilities => ({
  forms: capabilities?.elicitation?.form != null,
  compaction: capabilities?.session?.compaction != null,
});

async function listSessions(api: Api, workspace: string | undefined, cursor: string | undefined) {
  const rows = await api.session.list.query({ ...omitUndefined({ workspace }), limit: 10_000 });
  const [roots, from] = [rows.filter(({ parentId }) => parentId === null), Number(cursor ?? 0) || 0];
  const sessions = roots.slice(from, from + PAGE).map(({ id, workspace: cwd, title, updatedAt }) => ({
    sessionId: id,
    cwd,
    title,
    updatedAt: new Date(updatedAt).toISOString(),
  }));
  return { sessions, ...(roots.length > from + PAGE ? { nextCursor: String(from + PAGE) } : {}) };
}

/**
 * Sets the mode or the model. The protocol has two ways to set them; both end here. A session update reports the change.
 */
async function choose(session: Attachment, what: string, value: unknown): Promise<void> {
  const { configOptions } = await session.offer();
  const option = configOptions.find(({ id }) => id === what);
  if (option?.type !== "select") throw invalidPrompt(`There is no config option ${what}.`);
  if (typeof value !== "string" || !option.options.some((each) => "value" in each && each.value === value))
    throw invalidPrompt(`There is no ${what} ${String(value)}. Choose one that the session offers.`);
  if (value === option.currentValue) return;
  await session.send(what === "mode" ? { type: "switchMode", mode: value } : { type: "chooseModel", model: value });
}

async function sendCommands(session: Attachment, api: Api, client: AgentContext): Promise<void> {
  const commands = await api.workspace.commands.query({ cwd: session.state().workspace });
  const coordinate = { name: "coordinate", description: "Ask the coordinator which mode fits.", input: { hint: "why" } };
  const availableCommands = [coordinate, ...commands.map(({ name, description }) => ({ name, description, input: { hint: "arguments" } }))];
  const update = { sessionUpdate: "available_commands_update" as const, availableCommands };
  await client.notify("session/update", { sessionId: session.id, update });
}
