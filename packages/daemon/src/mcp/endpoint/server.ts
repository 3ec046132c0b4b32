import { LOG_LEVEL_META_KEY, Server, type LoggingLevel, type ServerContext } from "@modelcontextprotocol/server";
import type { ProfileBackend } from "./profile-backend.ts";
import { completeArgument, getPrompt, promptsOf, readResource, resourcesOf, templatesOf, subscribeResource } from "./lending.ts";
import type { Caller, EndpointOptions } from "./endpoint-options.ts";
import { invalidParamsError } from "./server-error.ts";
import type { ClientExchange } from "../../tool/tool-types.ts";

const INSTRUCTIONS =
  "Baton lends you the tools of a person's MCP servers. Which of them are here is chosen by toolsets: list-available-tools shows all, build-toolset keeps a selection, equip-toolset brings its tools, and with them the resources and prompts of their servers. Some calls wait until the person has allowed them; a refusal is an answer.";

const capabilities = {
  tools: { listChanged: true },
  resources: { listChanged: true, subscribe: true },
  prompts: { listChanged: true },
  completions: {},
  logging: {},
};

/** A server of the protocol before a desk: cheap to make, as one is made for each request over HTTP. */
export function makeServer(desk: ProfileBackend, { identity }: Pick<EndpointOptions, "identity">): Server {
  const isProxy = desk.lending().proxied !== undefined;
  const server = new Server(
    { name: "baton", title: "Baton", version: `${identity.version}+${identity.instance}` },
    { capabilities, ...(isProxy ? {} : { instructions: INSTRUCTIONS }) },
  );
  const asked = <T>(context: ServerContext, ask: (caller: Caller) => Promise<T>): Promise<T> => withCaller(server, desk, context, ask);

  server.setRequestHandler("tools/list", () => ({ tools: desk.tools() }));
  server.setRequestHandler("tools/call", ({ params: { name: tool, arguments: input = {} } }, context) =>
    asked(context, (caller) => desk.call({ tool, input, ...caller })),
  );
  server.setRequestHandler("resources/list", async () => ({ resources: await resourcesOf(desk.lending()) }));
  server.setRequestHandler("resources/templates/list", async () => ({ resourceTemplates: await templatesOf(desk.lending()) }));
  server.setRequestHandler("resources/read", ({ params: { uri } }, context) =>
    asked(context, (caller) => readResource(uri, desk.lending(), desk.runFor(caller))),
  );
  server.setRequestHandler("prompts/list", async () => ({ prompts: await promptsOf(desk.lending()) }));
  server.setRequestHandler("prompts/get", ({ params: { name, arguments: given = {} } }, context) =>
    asked(context, (caller) => getPrompt(name, given, desk.lending(), desk.runFor(caller))),
  );
  server.setRequestHandler("completion/complete", ({ params }) => completeArgument(params, desk.lending(), desk.may));
  subscribing(server, desk);
  return server;
}

/** The older protocol subscribes to one resource at a time, for as long as the session lasts. */
function subscribing(server: Server, desk: ProfileBackend): void {
  const watched = new Map<string, () => void>();
  let isClosed = false;
  server.setRequestHandler("resources/subscribe", async ({ params: { uri } }) => {
    if (watched.has(uri)) return {};
    const end = await subscribeResource(uri, desk.lending(), desk.may, () => {
      server.sendResourceUpdated({ uri }).catch(() => undefined); // a client that is gone hears nothing
    });
    if (!end)
      throw invalidParamsError(`The rules do not allow reading ${uri.slice(0, 200)} without a question, or it is not here.`, { uri });
    watched.get(uri)?.(); // two that were asked for at once are one
    watched.set(uri, end);
    if (isClosed) end();
    return {};
  });
  server.setRequestHandler("resources/unsubscribe", ({ params: { uri } }) => {
    watched.get(uri)?.();
    watched.delete(uri);
    return {};
  });
  server.onclose = () => {
    isClosed = true;
    for (const end of watched.values()) end();
    watched.clear();
  };
}

/** Who calls, and the way from the server that is called to the client. */
async function withCaller<T>(
  server: Server,
  desk: ProfileBackend,
  context: ServerContext,
  ask: (caller: Caller) => Promise<T>,
): Promise<T> {
  const { mcpReq } = context;
  const progress = openProgress(context);
  const requestState = mcpReq.requestState();
  // a client of the older protocol says its level once, if ever, and the SDK leaves out what is below it
  const logLevel = mcpReq.envelope === undefined ? "debug" : envelopeOf(context)[LOG_LEVEL_META_KEY];
  try {
    return await ask({
      by: { person: nameOf(server, context) },
      signal: mcpReq.signal,
      onWaiting: progress.waiting,
      through: {
        ...(mcpReq.inputResponses ? { inputResponses: mcpReq.inputResponses } : {}),
        ...(typeof requestState === "string" ? { requestState } : {}),
        ...(typeof logLevel === "string" ? { logLevel } : {}),
        ...(desk.clientsAnswer() ? { capabilities: askable(server, context) } : {}),
        onProgress: progress.tell,
        onLog: ({ level, data, logger }) => {
          mcpReq.log(level as LoggingLevel, data, logger).catch(() => undefined); // the SDK has checked what the server sent
        },
      },
    });
  } finally {
    progress.end();
  }
}

const envelopeOf = ({ mcpReq }: ServerContext): Record<string, unknown> => mcpReq.envelope ?? {};

const ASKABLE = ["elicitation", "sampling", "roots"] as const;

/** What a server may ask this client for. Its other capabilities are between it and us. */
function askable(server: Server, context: ServerContext): Record<string, unknown> {
  const declared = envelopeOf(context)["io.modelcontextprotocol/clientCapabilities"] ?? server.getClientCapabilities() ?? {};
  const all = declared as Record<string, unknown>;
  return Object.fromEntries(ASKABLE.flatMap((name) => (all[name] === undefined ? [] : [[name, all[name]]])));
}

/** Who calls, as a word that cannot mislead. */
function nameOf(server: Server, context: ServerContext): string {
  const told = envelopeOf(context)["io.modelcontextprotocol/clientInfo"] as { name?: unknown } | undefined;
  const name = typeof told?.name === "string" ? told.name : (server.getClientVersion()?.name ?? "");
  return `mcp ${name.replaceAll(/[^A-Za-z0-9 ._-]/g, "").slice(0, 40) || "client"}`;
}

/** What a client that listens for progress is told of its call. */
type Progress = {
  /** Says now and then that a person is asked, so that the client does not give up. */
  waiting: () => void;
  tell: ClientExchange["onProgress"];
  end: () => void;
};

const REMIND_MS = 10_000;
/** Reminders have to go up, and to leave room for what the server says afterwards. */
const STEP = 1e-6;

function openProgress({ mcpReq }: ServerContext): Progress {
  const progressToken = mcpReq._meta?.progressToken;
  let reminding: NodeJS.Timeout | undefined;
  let last = -Infinity;
  const send = (progress: number, more: { total?: number | undefined; message?: string | undefined }) => {
    if (progressToken === undefined || progress <= last) return; // the protocol wants each to be above the one before
    last = progress;
    const { total, message } = more;
    const params = {
      progressToken,
      progress,
      ...(total === undefined ? {} : { total }),
      ...(message === undefined ? {} : { message }),
    };
    mcpReq.notify({ method: "notifications/progress", params }).catch(() => undefined); // a client that is gone needs none
  };
  const remind = () => send(last === -Infinity ? STEP : last + STEP, { message: "Waits for the person, in Baton's inbox." });
  return {
    waiting() {
      if (progressToken === undefined) return;
      remind();
      reminding = setInterval(remind, REMIND_MS);
    },
    tell: ({ progress, ...more }) => send(progress, more),
    end: () => clearInterval(reminding),
  };
}
