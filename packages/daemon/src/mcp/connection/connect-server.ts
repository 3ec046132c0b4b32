import { pathToFileURL } from "node:url";
import type { Client, ElicitRequest, ElicitResult, LoggingMessageNotification, Tool, Transport } from "@modelcontextprotocol/client";

/** The options of a client of a server. */
type ConnectOptions = {
  workspace: string;
  /** Creates a transport for each attempt. */
  transport: () => Promise<Transport>;
  /** True if the older protocol may be tried after the newer one. */
  era: "auto" | "legacy";
  onTools: (tools: readonly Tool[]) => void;
  /** The server's resources or prompts have changed. */
  onOthers: (what: "resources" | "prompts") => void;
  onUpdated: (uri: string) => void;
  onLog: (message: LoggingMessageNotification["params"]) => void;
  onElicit: (params: ElicitRequest["params"]) => Promise<ElicitResult>;
  onClose: () => void;
  onProblem: (problem: string) => void;
  signal: AbortSignal;
  /** How long an address may take to answer in the newer protocol, and how long a program may be silent before the older one is tried as well. */
  probeMs: number;
  /** How long each of the first answers may take. */
  timeoutMs: number;
};

const MAX_ROUNDS = 5;

/**
 * Connects to a server in the newest protocol that it supports. A silent program, such as one that is still being installed, is also
 * addressed in the older protocol. A program that exits at the first message of the newer protocol is restarted with the older one.
 */
export async function connectClient(options: ConnectOptions): Promise<Client> {
  try {
    return await attempt(options);
  } catch (error) {
    if (options.era === "legacy" || options.signal.aborted || isFinal(error)) throw error;
    options.onProblem(`using the older protocol, because: ${error instanceof Error ? error.message : String(error)}`);
    return attempt({ ...options, era: "legacy" });
  }
}

/** True for errors that another protocol would not fix. */
const isFinal = (error: unknown): boolean =>
  needsLogin(error) || (error instanceof Error && /could not be started|may (not )?be reached/.test(error.message));

/** True if a server, or a cause of its error, says that a login is needed. */
export function needsLogin(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { data } = error as { data?: { status?: unknown } }; // the shape of the SDK's errors
  return error.name === "UnauthorizedError" || data?.status === 401 || needsLogin(error.cause);
}

async function attempt({
  workspace,
  transport: makeTransport,
  era,
  onTools,
  onOthers,
  onUpdated,
  onLog,
  onElicit,
  onClose,
  onProblem,
  signal,
  probeMs,
  timeoutMs,
}: ConnectOptions): Promise<Client> {
  const sdk = await import("@modelcontextprotocol/client");
  const others = (what: "resources" | "prompts") => ({
    autoRefresh: false,
    onChanged: (error: Error | null) => (error ? onProblem(error.message) : onOthers(what)),
  });
  const client = new sdk.Client(
    { name: "baton", title: "Baton", version: "0.1.0" },
    {
      capabilities: { elicitation: { form: { applyDefaults: true }, url: {} }, roots: {} },
      versionNegotiation: { mode: era, probe: { timeoutMs: probeMs } },
      inputRequired: { maxRounds: MAX_ROUNDS },
      listChanged: {
        tools: { onChanged: (error, tools) => (error ? onProblem(error.message) : onTools(tools ?? [])) },
        resources: others("resources"),
        prompts: others("prompts"),
      },
    },
  );
  client.setRequestHandler("elicitation/create", ({ params }) => onElicit(params));
  client.setRequestHandler("roots/list", () => ({ roots: [{ uri: pathToFileURL(workspace).href, name: "workspace" }] }));
  client.setNotificationHandler("notifications/resources/updated", ({ params }) => onUpdated(params.uri));
  client.setNotificationHandler("notifications/message", ({ params }) => onLog(params));
  client.onerror = (error) => onProblem(error.message);
  const transport = await makeTransport();
  const stop = () => void transport.close().catch(() => undefined); // the client has no transport before it knows the protocol
  signal.addEventListener("abort", stop, { once: true });
  try {
    await client.connect(transport, { timeout: timeoutMs, signal });
    const { tools } = await client.listTools({}, { timeout: timeoutMs, signal });
    onTools(tools);
    client.onclose = onClose;
    return client;
  } catch (error) {
    await transport.close().catch(() => undefined);
    throw error;
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
