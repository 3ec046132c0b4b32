import { omitUndefined } from "@baton/core/text/omit-undefined";
import { LOG_LEVEL_META_KEY, Server, type LoggingLevel, type ServerContext } from "@modelcontextprotocol/server";
import type { ProfileBackend } from "./shared-profile-state.ts";
import {
  completeArgument,
  getProxiedPrompt,
  promptsOf,
  readProxiedResource,
  resourcesOf,
  templatesOf,
  subscribeResource,
} from "./proxied-resources.ts";
import type { EndpointCaller, EndpointOptions } from "./endpoint-options.ts";
import { invalidParamsError } from "./protocol-errors.ts";
import type { ClientExchange } from "../../tool/tool-types.ts";

const INSTRUCTIONS =
  "Baton provides the tools of the user's MCP servers. Toolsets select which of them you see: list-available-tools lists all tools, build-toolset saves a selection, and equip-toolset provides its tools and the resources and prompts of their servers. Some calls wait for the user's approval. A refusal is a valid answer.";

const capabilities = {
  tools: { listChanged: true },
  resources: { listChanged: true, subscribe: true },
  prompts: { listChanged: true },
  completions: {},
  logging: {},
};

/** Creates a protocol server for a profile. It is cheap, because each request over HTTP needs one. */
export function createMcpServer(backend: ProfileBackend, { identity }: Pick<EndpointOptions, "identity">): Server {
  const isProxy = backend.proxyContext().proxied !== undefined;
  const server = new Server(
    { name: "baton", title: "Baton", version: `${identity.version}+${identity.instance}` },
    { capabilities, ...(isProxy ? {} : { instructions: INSTRUCTIONS }) },
  );
  const asked = <T>(context: ServerContext, ask: (caller: EndpointCaller) => Promise<T>): Promise<T> =>
    withCaller(server, backend, context, ask);

  server.setRequestHandler("tools/list", () => ({ tools: backend.tools() }));
  server.setRequestHandler("tools/call", ({ params: { name: tool, arguments: input = {} } }, context) =>
    asked(context, (caller) => backend.call({ tool, input, ...caller })),
  );
  server.setRequestHandler("resources/list", async () => ({ resources: await resourcesOf(backend.proxyContext()) }));
  server.setRequestHandler("resources/templates/list", async () => ({ resourceTemplates: await templatesOf(backend.proxyContext()) }));
  server.setRequestHandler("resources/read", ({ params: { uri } }, context) =>
    asked(context, (caller) => readProxiedResource(uri, backend.proxyContext(), backend.runFor(caller))),
  );
  server.setRequestHandler("prompts/list", async () => ({ prompts: await promptsOf(backend.proxyContext()) }));
  server.setRequestHandler("prompts/get", ({ params: { name, arguments: given = {} } }, context) =>
    asked(context, (caller) => getProxiedPrompt(name, given, backend.proxyContext(), backend.runFor(caller))),
  );
  server.setRequestHandler("completion/complete", ({ params }) => completeArgument(params, backend.proxyContext(), backend.isAllowed));
  subscribing(server, backend);
  return server;
}

/** The older protocol subscribes to one resource at a time, until the session ends. */
function subscribing(server: Server, backend: ProfileBackend): void {
  const watched = new Map<string, () => void>();
  let isClosed = false;
  server.setRequestHandler("resources/subscribe", async ({ params: { uri } }) => {
    if (watched.has(uri)) return {};
    const end = await subscribeResource(uri, backend.proxyContext(), backend.isAllowed, () => {
      server.sendResourceUpdated({ uri }).catch(() => undefined); // the client has disconnected
    });
    if (!end)
      throw invalidParamsError(`The resource ${uri.slice(0, 200)} does not exist, or the rules do not allow reading it without asking.`, {
        uri,
      });
    watched.get(uri)?.(); // ends an earlier subscription to the same resource
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

/** Runs a call with its caller and with the way from the server back to the client. */
async function withCaller<T>(
  server: Server,
  backend: ProfileBackend,
  context: ServerContext,
  ask: (caller: EndpointCaller) => Promise<T>,
): Promise<T> {
  const { mcpReq } = context;
  const progress = openProgress(context);
  const requestState = mcpReq.requestState();
  // a client of the older protocol sets its level at most once, and the SDK filters by it
  const logLevel = mcpReq.envelope === undefined ? "debug" : envelopeOf(context)[LOG_LEVEL_META_KEY];
  try {
    return await ask({
      by: { person: nameOf(server, context) },
      signal: mcpReq.signal,
      onWaiting: progress.waiting,
      through: {
        ...omitUndefined({ inputResponses: mcpReq.inputResponses }),
        ...(typeof requestState === "string" ? { requestState } : {}),
        ...(typeof logLevel === "string" ? { logLevel } : {}),
        ...(backend.clientsAnswer() ? { capabilities: askable(server, context) } : {}),
        onProgress: progress.onProgress,
        onLog: ({ level, data, logger }) => {
          mcpReq.log(level as LoggingLevel, data, logger).catch(() => undefined); // the SDK has checked the message
        },
      },
    });
  } finally {
    progress.end();
  }
}

const envelopeOf = ({ mcpReq }: ServerContext): Record<string, unknown> => mcpReq.envelope ?? {};

const ASKABLE = ["elicitation", "sampling", "roots"] as const;

/** The questions of servers that this client supports. Its other capabilities do not concern servers. */
function askable(server: Server, context: ServerContext): Record<string, unknown> {
  const declared = envelopeOf(context)["io.modelcontextprotocol/clientCapabilities"] ?? server.getClientCapabilities() ?? {};
  const all = declared as Record<string, unknown>;
  return Object.fromEntries(ASKABLE.flatMap((name) => (all[name] === undefined ? [] : [[name, all[name]]])));
}

/** The client's name, reduced to harmless characters. */
function nameOf(server: Server, context: ServerContext): string {
  const clientInfo = envelopeOf(context)["io.modelcontextprotocol/clientInfo"] as { name?: unknown } | undefined;
  const name = typeof clientInfo?.name === "string" ? clientInfo.name : (server.getClientVersion()?.name ?? "");
  return `mcp ${name.replaceAll(/[^A-Za-z0-9 ._-]/g, "").slice(0, 40) || "client"}`;
}

/** The progress of a call for a client that listens to it. */
type Progress = {
  /** Reports regularly that the user is being asked, so that the client does not give up. */
  waiting: () => void;
  onProgress: ClientExchange["onProgress"];
  end: () => void;
};

const REMIND_MS = 10_000;
/** The step between reminders. Progress must increase, and the server's own progress must stay above it. */
const STEP = 1e-6;

function openProgress({ mcpReq }: ServerContext): Progress {
  const progressToken = mcpReq._meta?.progressToken;
  let reminding: NodeJS.Timeout | undefined;
  let last = -Infinity;
  const send = (progress: number, more: { total?: number | undefined; message?: string | undefined }) => {
    if (progressToken === undefined || progress <= last) return; // the protocol requires increasing progress
    last = progress;
    const { total, message } = more;
    const params = {
      progressToken,
      progress,
      ...omitUndefined({ total, message }),
    };
    mcpReq.notify({ method: "notifications/progress", params }).catch(() => undefined); // the client has disconnected
  };
  const remind = () => send(last === -Infinity ? STEP : last + STEP, { message: "Waiting for the user to answer in Baton's inbox." });
  return {
    waiting() {
      if (progressToken === undefined) return;
      remind();
      reminding = setInterval(remind, REMIND_MS);
    },
    onProgress: ({ progress, ...more }) => send(progress, more),
    end: () => clearInterval(reminding),
  };
}
