import { pathToFileURL } from "node:url";
import type { Client, ElicitRequest, ElicitResult, LoggingMessageNotification, Tool, Transport } from "@modelcontextprotocol/client";

/** What a client of a server needs to know of us. */
export type ConnectOptions = {
  workspace: string;
  /** Makes a new transport for each attempt. */
  transport: () => Promise<Transport>;
  /** Whether an attempt in the newer protocol may be followed by one in the older. */
  era: "auto" | "legacy";
  onTools: (tools: readonly Tool[]) => void;
  /** Its resources or its prompts are others than before. */
  onOthers: (what: "resources" | "prompts") => void;
  onUpdated: (uri: string) => void;
  onLog: (message: LoggingMessageNotification["params"]) => void;
  onElicit: (params: ElicitRequest["params"]) => Promise<ElicitResult>;
  onClose: () => void;
  onProblem: (problem: string) => void;
  signal: AbortSignal;
  /** How long an address may take to say that it speaks the newer protocol, and a program before it is spoken to in the older as well. */
  probeMs: number;
  /** How long each of its first answers may take. */
  timeoutMs: number;
};

const MAX_ROUNDS = 5;

/**
 * Connects to a server in the newest protocol that it speaks. A program that is silent, as one that is still being installed,
 * is spoken to in the older too, and goes on. One that ends at the first word of the newer protocol is started again and
 * spoken to in the older.
 */
export async function connectClient(options: ConnectOptions): Promise<Client> {
  try {
    return await attempt(options);
  } catch (error) {
    if (options.era === "legacy" || options.signal.aborted || isFinal(error)) throw error;
    options.onProblem(`spoken to in the older protocol, as: ${error instanceof Error ? error.message : String(error)}`);
    return attempt({ ...options, era: "legacy" });
  }
}

/** What another protocol would not mend. */
const isFinal = (error: unknown): boolean =>
  needsLogin(error) || (error instanceof Error && /could not be started|may (not )?be reached/.test(error.message));

/** Whether a server, or a chain of reasons that begins with it, says that it does not know us. */
export function needsLogin(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { data } = error as { data?: { status?: unknown } }; // as the SDK's errors have it
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
  const stop = () => void transport.close().catch(() => undefined); // the client has none before it knows the protocol
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
