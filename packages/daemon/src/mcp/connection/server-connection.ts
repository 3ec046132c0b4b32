import { omitUndefined } from "@baton/core/text/omit-undefined";
import type {
  CallToolResult,
  Client,
  ElicitRequest,
  ElicitResult,
  GetPromptResult,
  LoggingMessageNotification,
  ReadResourceResult,
  RequestOptions,
  ServerCapabilities,
} from "@modelcontextprotocol/client";
import { oneLine } from "@baton/core/text/sanitize";
import type { Blobs } from "../../system/files/blob.ts";
import type { ToolExecutionResult, ClientExchange } from "../../tool/tool-types.ts";
import { connectClient, needsLogin } from "./connect-server.ts";
import type { Elicit } from "./elicitation.ts";
import { settingsHash, type McpServerDefinition } from "../server-definition.ts";
import { toListedTool, type ListedTool } from "../tools/listed-tool.ts";
import { retryAfterUrlElicitation } from "./url-elicitation.ts";
import { startRequestTimeout } from "./request-timeout.ts";
import { toOutcome } from "../tools/call-result.ts";
import { inputRequiredOutcome, isInputRequired, forwardedFields, type InputRequired } from "./input-required.ts";
import { createTransport, type TransportOptions } from "./transport.ts";
import { openResourceSubscriptions } from "./resource-subscriptions.ts";

export type ConnectionStatus = "idle" | "starting" | "ready" | "failed" | "needs_login";

/** The options of a request to a server: the receivers of its progress and of its questions. */
export type ServerRequestOptions = {
  signal: AbortSignal;
  onProgress: (text: string) => void;
  elicit: Elicit;
  /** Receives the answer or the error unchanged. */
  raw: (result: unknown) => void;
  through: ClientExchange | undefined;
};

/** `blobs`: stores images of an answer. */
type CallOptions = ServerRequestOptions & { blobs: Pick<Blobs, "put"> };

type Asking = { elicit: Elicit; through: ClientExchange | undefined };

export type ConnectionOptions = TransportOptions & {
  now: () => number;
  /** Identifies this daemon, which must never become its own server. */
  instance: string;
  /** The server's tools have changed. */
  changed: () => void;
  /** The server's resources or prompts have changed. */
  othersChanged: (what: "resources" | "prompts") => void;
};

const PROBE_MS = 5_000;
/** A program may have to be installed first. Only `baton mcp test` waits that long. */
const START_MS = 60_000;
/** How long a call waits for a server that is starting. */
const CALL_WAIT_MS = 20_000;
const MAX_TOTAL_MS = 60 * 60_000;
/** The maximum of a timer. `RequestTimeout` ends calls earlier. */
const MAX_MS = 2 ** 31 - 1;
const FIRST_RESTART_DELAY_MS = 1_000;
const MAX_RESTART_DELAY_MS = 60_000;
const MAX_LOG = 400;
const MAX_LINE = 500;

/**
 * A connection to one server for one workspace. It is started on demand and restarted after it ended, with growing delays while it fails. Its
 * last list of tools stays known while it is away.
 */
export class ServerConnection {
  readonly definition: McpServerDefinition;
  readonly settings: string;
  readonly #options: ConnectionOptions;
  readonly #log: string[] = [];
  readonly #closing = new AbortController();
  readonly #asking: Asking[] = [];
  readonly #watches = openResourceSubscriptions(
    () => this.#connected,
    (problem) => this.#note(problem),
  );
  #connected: Client | undefined;
  #client: Promise<Client> | undefined;
  #status: ConnectionStatus = "idle";
  #problem: string | undefined;
  #failures = 0;
  #mayStartAt = 0;
  #listed: readonly ListedTool[] | undefined;
  #problems: readonly string[] = [];
  #capabilities: ServerCapabilities = {};
  #info: { era: string; version: string; instructions: string } = { era: "", version: "", instructions: "" };

  constructor(definition: McpServerDefinition, options: ConnectionOptions) {
    this.definition = definition;
    this.settings = settingsHash(definition);
    this.#options = options;
  }

  /** The status. `problem`: the reason why the server is unavailable, or a problem of its list. */
  get state(): { status: ConnectionStatus; problem?: string; era: string; version: string; instructions: string } {
    const problem = this.#problem ?? this.#problems[0];
    return { status: this.#status, ...this.#info, ...omitUndefined({ problem }) };
  }

  /** The last list of tools. Undefined if the server has never been asked. */
  get listed(): readonly ListedTool[] | undefined {
    return this.#listed;
  }

  /** True if the server said last that it has resources or prompts. */
  has(what: "resources" | "prompts" | "completions"): boolean {
    return this.#capabilities[what] !== undefined;
  }

  /** The server's output and connection events, oldest first. */
  get log(): readonly string[] {
    return this.#log;
  }

  /** The connected client, for callers that cannot wait long. Throws if the server is unreachable or still starting. */
  async client(signal?: AbortSignal): Promise<Client> {
    signal?.throwIfAborted();
    const starting = this.start();
    if (this.#status === "ready") return starting;
    const enough = AbortSignal.any([AbortSignal.timeout(CALL_WAIT_MS), ...(signal ? [signal] : [])]);
    const waited = new Promise<undefined>((done) => enough.addEventListener("abort", () => done(undefined), { once: true }));
    const client = await Promise.race([starting, waited]);
    if (client) return client;
    throw new Error(`${this.definition.name} is still starting. Try again in a minute.`);
  }

  /** Waits for the whole start. Throws if the server is unreachable; until the next attempt it throws the same error. */
  async start(): Promise<Client> {
    if (this.#closing.signal.aborted) throw new Error(`${this.definition.name} is no longer in use.`);
    if (this.#client) return this.#client;
    const wait = this.#mayStartAt - this.#options.now();
    if (wait > 0) throw new Error(`${this.#problem ?? "It failed."} Baton tries again in ${Math.ceil(wait / 1000)} s.`);
    this.#status = "starting";
    const connecting = this.#connect();
    this.#client = connecting;
    return connecting;
  }

  async call(tool: string, input: unknown, { blobs, ...how }: CallOptions): Promise<ToolExecutionResult> {
    const { name } = this.definition;
    const schema = this.#listed?.find((each) => each.tool === tool)?.schema;
    const result = await this.#ask<CallToolResult>((client, carried, options) => {
      const params = { name: tool, arguments: input as Record<string, unknown>, ...carried }; // the tool's schema requires an object
      // a question of the server is not an answer, so it cannot match the output schema that the client would check
      const toolDefinition = options.allowInputRequired ? { name: tool, inputSchema: { ...schema, type: "object" as const } } : undefined;
      return client.callTool(params, { ...options, ...omitUndefined({ toolDefinition }) });
    }, how);
    return isInputRequired(result) ? inputRequiredOutcome(name) : toOutcome(result, name, blobs);
  }

  /** Reads a resource. Returns the server's question to the client if it asks one first. */
  read(uri: string, how: ServerRequestOptions): Promise<ReadResourceResult | InputRequired> {
    return this.#ask((client, carried, options) => client.readResource({ uri, ...carried }, options), how);
  }

  /** Gets a prompt. Returns the server's question to the client if it asks one first. */
  prompt(name: string, promptArguments: Record<string, string>, how: ServerRequestOptions): Promise<GetPromptResult | InputRequired> {
    return this.#ask((client, carried, options) => client.getPrompt({ name, arguments: promptArguments, ...carried }, options), how);
  }

  /** Calls the listener whenever the resource changes. Returns a function that ends the subscription. */
  async watch(uri: string, listener: (uri: string) => void): Promise<() => void> {
    await this.client();
    return this.#watches.add(uri, listener);
  }

  async #ask<T>(
    request: (client: Client, carried: ReturnType<typeof forwardedFields>, options: RequestOptions) => Promise<T>,
    { signal, onProgress, elicit, raw, through }: ServerRequestOptions,
  ): Promise<T> {
    const client = await this.client(signal);
    const patience = startRequestTimeout({ silent: this.definition.timeoutMs, most: MAX_TOTAL_MS }, () => performance.now());
    const asking: Asking = { elicit: (params) => patience.during(() => elicit(params)), through };
    this.#asking.push(asking);
    try {
      const options: RequestOptions = {
        signal: AbortSignal.any([signal, patience.signal]),
        timeout: MAX_MS,
        allowInputRequired: through?.capabilities !== undefined,
        onprogress: ({ progress, total, message }) => {
          patience.again();
          through?.onProgress({ progress, total, message });
          const of = total === undefined ? "" : `/${total}`;
          const text = message === undefined ? "" : ` ${oneLine(message)}`;
          onProgress(`${progress}${of}${text}\n`);
        },
      };
      const carried = forwardedFields(through, client.getProtocolEra() === "modern");
      const result = await retryAfterUrlElicitation(() => request(client, carried, options), asking.elicit);
      raw(result);
      return result;
    } catch (error) {
      raw(error);
      throw error;
    } finally {
      patience.end();
      this.#asking.splice(this.#asking.indexOf(asking), 1);
    }
  }

  /** Forgets a failure, so that the next request starts the server at once. */
  again(): void {
    this.#mayStartAt = 0;
  }

  async close(): Promise<void> {
    this.#closing.abort();
    const client = await this.#client?.catch(() => undefined);
    this.#client = undefined;
    this.#connected = undefined;
    this.#status = "idle";
    await client?.close().catch(() => undefined);
  }

  async #connect(): Promise<Client> {
    const { definition } = this;
    const longest = Math.max(START_MS, definition.timeoutMs);
    const enough = AbortSignal.timeout(longest);
    const signal = AbortSignal.any([this.#closing.signal, enough]);
    try {
      const client = await connectClient({
        workspace: this.#options.workspace,
        transport: () => createTransport(definition, this.#options, (text) => this.#note(text)),
        era: "auto",
        onTools: (tools) => this.#list(toListedTool(tools)),
        onOthers: (what) => this.#options.othersChanged(what),
        onUpdated: (uri) => this.#watches.updated(uri),
        onLog: (message) => this.#report(message),
        onElicit: (params) => this.#elicit(params),
        onClose: () => this.#lost(),
        onProblem: (problem) => this.#note(problem),
        signal,
        probeMs: Math.min(PROBE_MS, definition.timeoutMs),
        timeoutMs: longest,
      });
      const { name = "", version = "" } = client.getServerVersion() ?? {};
      if (version.endsWith(`+${this.#options.instance}`)) {
        await client.close();
        throw new Error("the server is this daemon itself");
      }
      this.#info = {
        era: client.getProtocolEra() ?? "",
        version: `${name} ${version}`.trim(),
        instructions: client.getInstructions() ?? "",
      };
      this.#status = "ready";
      this.#connected = client;
      this.#watches.begin(client);
      this.#problem = undefined;
      this.#failures = 0;
      this.#learn(client.getServerCapabilities() ?? {});
      this.#options.changed(); // callers that waited continue, even if the list is unchanged
      return client;
    } catch (error) {
      this.#failed(enough.aborted ? new Error(`it did not start within ${longest / 1000} s`) : error);
      throw new Error(this.#problem, { cause: error });
    }
  }

  #failed(error: unknown): void {
    const message = messageWithCause(error);
    const isLogin = needsLogin(error);
    this.#client = undefined;
    this.#status = isLogin ? "needs_login" : "failed";
    this.#problem = isLogin
      ? `${this.definition.name} needs a login. Run \`baton mcp login ${this.definition.name}\`.`
      : `${this.definition.name} is unavailable: ${message}${this.#lastWords()}`;
    this.#mayStartAt = this.#options.now() + Math.min(MAX_RESTART_DELAY_MS, FIRST_RESTART_DELAY_MS * 2 ** this.#failures++);
    this.#note(this.#problem);
    this.#options.changed(); // callers that waited continue
  }

  /** The last line of a program's output, unless it only repeats the previous failure. */
  #lastWords(): string {
    if (this.definition.launch.kind !== "stdio") return "";
    const last = this.#log.findLast((line) => line !== this.#problem);
    return last === undefined ? "" : ` (${oneLine(last).slice(0, 200)})`;
  }

  #lost(): void {
    if (this.#closing.signal.aborted) return;
    this.#client = undefined;
    this.#connected = undefined;
    this.#status = "idle";
    this.#note("the connection ended");
  }

  #list({ listed, problems }: ReturnType<typeof toListedTool>): void {
    const before = JSON.stringify(this.#listed?.map(({ hash }) => hash));
    this.#listed = listed;
    this.#problems = problems;
    for (const problem of problems) this.#note(problem);
    if (before !== JSON.stringify(listed.map(({ hash }) => hash))) this.#options.changed();
  }

  #learn(capabilities: ServerCapabilities): void {
    const hadResources = this.has("resources");
    this.#capabilities = capabilities;
    if (hadResources !== this.has("resources")) this.#options.changed();
  }

  /** Asks for the newest running call, because a server does not say for which call it asks. */
  #elicit(params: ElicitRequest["params"]): Promise<ElicitResult> {
    const asking = this.#asking.at(-1);
    return asking ? asking.elicit(params) : Promise.resolve({ action: "cancel" });
  }

  /** For the newest running call, as above. */
  #report(message: LoggingMessageNotification["params"]): void {
    this.#asking.at(-1)?.through?.onLog(message);
  }

  #note(text: string): void {
    this.#log.push(
      ...text
        .split("\n")
        .filter((line) => line.trim() !== "")
        .map((line) => line.slice(0, MAX_LINE)),
    );
    if (this.#log.length > 2 * MAX_LOG) this.#log.splice(0, this.#log.length - MAX_LOG);
  }
}

/** A failed fetch names its reason only in its cause. */
function messageWithCause(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error && error.cause.message !== "" ? `${error.message}: ${error.cause.message}` : error.message;
}
