import { spawn } from "node:child_process";
import { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import {
  client,
  ndJsonStream,
  PROTOCOL_VERSION,
  type ClientCapabilities,
  type ClientContext,
  type CreateElicitationRequest,
  type CreateElicitationResponse,
  type RequestPermissionRequest,
  type RequestPermissionResponse,
  type SessionUpdate,
} from "@agentclientprotocol/sdk";
import { expect } from "vitest";
import type { Home } from "./home.ts";

const CLIENT = fileURLToPath(new URL("../../dist/main.js", import.meta.url));

export type Answers = {
  permission?: (request: RequestPermissionRequest, signal: AbortSignal) => Promise<RequestPermissionResponse> | RequestPermissionResponse;
  form?: (request: CreateElicitationRequest) => CreateElicitationResponse;
};

/** An editor that speaks the protocol through its official library, with `baton acp` as its agent. */
export async function openEditor(home: Home, answers: Answers = {}, capabilities: ClientCapabilities = {}) {
  const agent = spawn(process.execPath, [CLIENT, "acp"], { cwd: home.workspace, env: home.env, stdio: ["pipe", "pipe", "pipe"] });
  const [updates, asked, errors]: [{ sessionId: string; update: SessionUpdate }[], RequestPermissionRequest[], string[]] = [[], [], []];
  agent.stderr.on("data", (bytes) => errors.push(String(bytes)));
  const app = client({ name: "editor" })
    .onNotification("session/update", ({ params: { sessionId, update } }) => void updates.push({ sessionId, update }))
    .onRequest("session/request_permission", ({ params, signal }) => {
      asked.push(params);
      return answers.permission?.(params, signal) ?? new Promise(() => undefined);
    })
    .onRequest("elicitation/create", ({ params }) => answers.form?.(params) ?? { action: "cancel" });
  const connection = app.connect(ndJsonStream(Writable.toWeb(agent.stdin), Readable.toWeb(agent.stdout) as ReadableStream<Uint8Array>));
  const agentContext: ClientContext = connection.agent;
  const initialized = await agentContext.request("initialize", { protocolVersion: PROTOCOL_VERSION, clientCapabilities: capabilities });
  const of = <K extends SessionUpdate["sessionUpdate"]>(kind: K) =>
    updates
      .map(({ update }) => update)
      .filter((update): update is Extract<SessionUpdate, { sessionUpdate: K }> => update.sessionUpdate === kind);
  return {
    agent: agentContext,
    initialized,
    updates,
    asked,
    /** Every update of one kind, in order. */
    of,
    /** All text of the agent, joined. */
    said: () => textOf(of("agent_message_chunk")),
    until: (what: string, holds: () => boolean) => expect.poll(holds, { message: what }).toBe(true),
    newSession: async () => agentContext.request("session/new", { cwd: home.workspace, mcpServers: [] }),
    prompt: (sessionId: string, text: string) => agentContext.request("session/prompt", { sessionId, prompt: [{ type: "text", text }] }),
    kill: () => agent.kill("SIGKILL"),
    errors: () => errors.join(""),
    async [Symbol.asyncDispose]() {
      const ended = new Promise((done) => agent.once("close", done));
      connection.close();
      agent.stdin.end();
      if (agent.exitCode === null && agent.signalCode === null) await ended;
    },
  };
}

export const textOf = (chunks: readonly { content: { type: string; text?: string } }[]): string =>
  chunks.map(({ content }) => content.text ?? "").join("");

/** Chooses the option with this id or kind. */
export const choose =
  (wanted: string) =>
  ({ options }: RequestPermissionRequest): RequestPermissionResponse => {
    const option = options.find(({ optionId, kind }) => optionId === wanted || kind === wanted);
    if (!option) throw new Error(`there is no option ${wanted} among ${options.map(({ optionId }) => optionId).join(", ")}`);
    return { outcome: { outcome: "selected", optionId: option.optionId } };
  };
