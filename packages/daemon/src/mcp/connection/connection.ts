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
import type { Outcome, ClientExchange } from "../../tool/tool-types.ts";
import { connectClient, needsLogin } from "./connect-server.ts";
import type { Elicit } from "./elicitation.ts";
import { settingsHash, type ServerDefinition } from "../server-definition.ts";
import { toListedTool, type ListedTool } from "../tools/listed-tool.ts";
import { retryAfterUrlElicitation } from "./url-elicitation.ts";
import { startRequestTimeout } from "./request-timeout.ts";
import { toOutcome } from "../tools/call-result.ts";
import { inputRequiredOutcome, isInputRequired, forwardedFields, type InputRequired } from "./input-required.ts";
import { createTransport, type TransportOptions } from "./transport.ts";
import { openResourceSubscriptions } from "./resource-subscriptions.ts";

export type ConnectionStatus = "idle" | "starting" | "ready" | "failed" | "needs_login";

/** How a server is asked for something: who hears of its progress, and who answers what it asks meanwhile. */
export type ServerRequestOptions = {
  signal: AbortSignal;
  onProgress: (text: string) => void;
  elicit: Elicit;
  /** Takes the answer, or the error, as it was. */
  raw: (result: unknown) => void;
  through: ClientExchange | undefined;
};

/** `blobs` keeps what of an answer can be looked at. */
export type CallOptions = ServerRequestOptions & { blobs: Pick<Blobs, "put"> };

type Asking = { elicit: Elicit; through: ClientExchange | undefined };

export type ConnectionOptions = TransportOptions & {
  now: () => number;
  /** Names this daemon, which is never a server of its own. */
  instance: string;
  /** The list of its tools is another than before. */
  changed: () => void;
  /** So is that of its resources or its prompts. */
  othersChanged: (what: "resources" | "prompts") => void;
};

const PROBE_MS = 5_000;
/** A program may have to be installed first. It starts in the background: nothing but `baton mcp test` waits that long. */
const START_MS = 60_000;
/** How long a call waits for a server that is starting. */
const CALL_WAIT_MS = 20_000;
const MAX_TOTAL_MS = 60 * 60_000;
/** As long as a timer can: what ends a call is the patience with its server. */
const MAX_MS = 2 ** 31 - 1;
const FIRST_REST_MS = 1_000;
const MAX_RESTART_DELAY_MS = 60_000;
const MAX_LOG = 400;
const MAX_LINE = 500;

/**
 * One server of one workspace: started when it is wanted, again after it died, each time after a longer rest while it
 * fails. What it listed last stays known while it is not there.
 */
export class ServerConnection {
  readonly definition: ServerDefinition;
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
  #standing: ConnectionStatus = "idle";
  #problem: string | undefined;
  #failures = 0;
  #mayStartAt = 0;
  #listed: readonly ListedTool[] | undefined;
  #problems: readonly string[] = [];
  #capabilities: ServerCapabilities = {};
  #info: { era: string; version: string; instructions: string } = { era: "", version: "", instructions: "" };

  constructor(definition: ServerDefinition, options: ConnectionOptions) {
    this.definition = definition;
    this.settings = settingsHash(definition);
    this.#options = options;
  }

  /** How it stands; `problem` says why it is not there, or what is wrong with what it lists. */
  get standing(): { standing: ConnectionStatus; problem?: string; era: string; version: string; instructions: string } {
    const problem = this.#problem ?? this.#problems[0];
    return { standing: this.#standing, ...this.#info, ...(problem === undefined ? {} : { problem }) };
  }

  /** What it listed last; undefined as long as it has never been asked. */
  get listed(): readonly ListedTool[] | undefined {
    return this.#listed;
  }

  /** Whether it has resources or prompts besides its tools, as it said last. */
  has(what: "resources" | "prompts" | "completions"): boolean {
    return this.#capabilities[what] !== undefined;
  }

  /** What it printed and what befell it, oldest first. */
  get log(): readonly string[] {
    return this.#log;
  }

  /** The client, connected, for who cannot wait long. Throws where the server cannot be reached now, or is still starting. */
  async client(signal?: AbortSignal): Promise<Client> {
    signal?.throwIfAborted();
    const starting = this.start();
    if (this.#standing === "ready") return starting;
    const enough = AbortSignal.any([AbortSignal.timeout(CALL_WAIT_MS), ...(signal ? [signal] : [])]);
    const waited = new Promise<undefined>((done) => enough.addEventListener("abort", () => done(undefined), { once: true }));
    const client = await Promise.race([starting, waited]);
    if (client) return client;
    throw new Error(`${this.definition.name} is still starting. Try again in a minute.`);
  }

  /** Waits as long as a start may take. Throws where the server cannot be reached; who asks again soon is told the same. */
  async start(): Promise<Client> {
    if (this.#closing.signal.aborted) throw new Error(`${this.definition.name} is not used any more.`);
    if (this.#client) return this.#client;
    const wait = this.#mayStartAt - this.#options.now();
    if (wait > 0) throw new Error(`${this.#problem ?? "It failed."} It is tried again in ${Math.ceil(wait / 1000)} s.`);
    this.#standing = "starting";
    const connecting = this.#connect();
    this.#client = connecting;
    return connecting;
  }

  async call(tool: string, input: unknown, { blobs, ...how }: CallOptions): Promise<Outcome> {
    const { name } = this.definition;
    const schema = this.#listed?.find((each) => each.tool === tool)?.schema;
    const result = await this.#ask<CallToolResult>((client, carried, options) => {
      const params = { name: tool, arguments: input as Record<string, unknown>, ...carried }; // an object, as the tool's own schema says
      // a question of the server is no answer, so it cannot fit the output schema that the client would hold it against
      const toolDefinition = options.allowInputRequired ? { name: tool, inputSchema: { ...schema, type: "object" as const } } : undefined;
      return client.callTool(params, { ...options, ...(toolDefinition ? { toolDefinition } : {}) });
    }, how);
    return isInputRequired(result) ? inputRequiredOutcome(name) : toOutcome(result, name, blobs);
  }

  /** A resource as the server gives it, or what it asks the client for first. */
  read(uri: string, how: ServerRequestOptions): Promise<ReadResourceResult | InputRequired> {
    return this.#ask((client, carried, options) => client.readResource({ uri, ...carried }, options), how);
  }

  /** What the server makes of one of its prompts, or what it asks the client for first. */
  prompt(name: string, given: Record<string, string>, how: ServerRequestOptions): Promise<GetPromptResult | InputRequired> {
    return this.#ask((client, carried, options) => client.getPrompt({ name, arguments: given, ...carried }, options), how);
  }

  /** Calls the listener each time that the server says that a resource changed. Gives what ends that. */
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
          onProgress(`${progress}${total === undefined ? "" : `/${total}`}${message === undefined ? "" : ` ${oneLine(message)}`}\n`);
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

  /** Forgets a failure, so that the next wish starts it at once. */
  again(): void {
    this.#mayStartAt = 0;
  }

  async close(): Promise<void> {
    this.#closing.abort();
    const client = await this.#client?.catch(() => undefined);
    this.#client = undefined;
    this.#connected = undefined;
    this.#standing = "idle";
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
        onLog: (message) => this.#tell(message),
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
        throw new Error("it is this Baton itself");
      }
      this.#info = {
        era: client.getProtocolEra() ?? "",
        version: `${name} ${version}`.trim(),
        instructions: client.getInstructions() ?? "",
      };
      this.#standing = "ready";
      this.#connected = client;
      this.#watches.begin(client);
      this.#problem = undefined;
      this.#failures = 0;
      this.#learn(client.getServerCapabilities() ?? {});
      this.#options.changed(); // whoever waited for it goes on, also where it lists what it listed before
      return client;
    } catch (error) {
      this.#failed(enough.aborted ? new Error(`it did not start within ${longest / 1000} s`) : error);
      throw new Error(this.#problem, { cause: error });
    }
  }

  #failed(error: unknown): void {
    const message = error instanceof Error ? error.message : String(error);
    const isLogin = needsLogin(error);
    this.#client = undefined;
    this.#standing = isLogin ? "needs_login" : "failed";
    this.#problem = isLogin
      ? `${this.definition.name} wants a login: \`baton mcp login ${this.definition.name}\`.`
      : `${this.definition.name} is not there: ${message}${this.#lastWords()}`;
    this.#mayStartAt = this.#options.now() + Math.min(MAX_RESTART_DELAY_MS, FIRST_REST_MS * 2 ** this.#failures++);
    this.#note(this.#problem);
    this.#options.changed(); // whoever waited for it waits no longer
  }

  /** What was noted last, other than that it failed before in the same way. */
  #lastWords(): string {
    const last = this.#log.findLast((line) => line !== this.#problem);
    return last === undefined ? "" : ` (${oneLine(last).slice(0, 200)})`;
  }

  #lost(): void {
    if (this.#closing.signal.aborted) return;
    this.#client = undefined;
    this.#connected = undefined;
    this.#standing = "idle";
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

  /** In the name of the newest call that is under way: a server does not say for which it asks. */
  #elicit(params: ElicitRequest["params"]): Promise<ElicitResult> {
    const asking = this.#asking.at(-1);
    return asking ? asking.elicit(params) : Promise.resolve({ action: "cancel" });
  }

  /** To the newest call that is under way, as above. */
  #tell(message: LoggingMessageNotification["params"]): void {
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
