import { omitUndefined } from "@baton/core/text/omit-undefined";
import type { ServerCapabilities } from "vscode-languageserver-protocol";
import { openResourceWatch, exceededLimitText, type CommandLimits } from "../../system/commands/command-limit-watch.ts";
import type { Sandbox } from "../../system/sandbox/sandbox.ts";
import type { StdioProcesses } from "../../system/commands/stdio-process.ts";
import { LanguageServer } from "./language-server.ts";
import type { LanguageServerDefinition } from "./server-definition.ts";

type PoolOptions = {
  processes: Pick<StdioProcesses, "start">;
  /** The limits of each server and the processes that it starts. */
  bounds: () => CommandLimits;
  sandbox: (server: Pick<LanguageServerDefinition, "name" | "program" | "ofProject">, root: string) => Sandbox | undefined;
  report: (problem: string) => void;
  /** After this time without use a server is stopped, in milliseconds. */
  idleMs?: number;
  /** The time before the first restart, in milliseconds. It doubles with each restart. */
  backoffMs?: number;
};

/** A server that runs, or why it does not. */
type ServerStatus = { name: string; root: string; state: "starting" | "running" | "stopped" | "failed"; problem?: string };

const IDLE_MS = 10 * 60_000;
const BACKOFF_MS = 1_000;
const MAX_RESTARTS = 3;
/** The number of servers that run at once. The one that was not used for the longest time is stopped first. */
const MAX_RUNNING = 8;

/** The language servers of the daemon: one for each kind and root. All sessions share them. */
export class LanguageServerPool {
  readonly #options: PoolOptions;
  readonly #entries = new Map<string, PoolEntry>();
  readonly #watch;
  #isClosed = false;

  constructor(options: PoolOptions) {
    this.#options = options;
    this.#watch = openResourceWatch(options.bounds);
  }

  /** Starts the server, so that it is ready when it is used. */
  prepare(definition: LanguageServerDefinition, root: string): void {
    this.use(definition, root, () => Promise.resolve()).catch(() => undefined); // the caller that uses it gets the error
  }

  /** Runs work with a server. It is started if necessary. Only one piece of work uses a server at a time. */
  async use<T>(definition: LanguageServerDefinition, root: string, work: (server: LanguageServer) => Promise<T>): Promise<T> {
    if (this.#isClosed) throw new Error("the daemon is stopping");
    const key = keyOf(definition, root);
    const entry = this.#entries.get(key) ?? this.#open(definition, root);
    this.#entries.delete(key); // the most recently used one is the last one
    this.#entries.set(key, entry);
    this.#stopUnused();
    return entry.use(work);
  }

  status(): ServerStatus[] {
    return [...this.#entries.values()].map((entry) => entry.status());
  }

  /** The capabilities of a server, as it named them when it last started. Undefined if it has not started yet. */
  capabilities(definition: LanguageServerDefinition, root: string): ServerCapabilities | undefined {
    return this.#entries.get(keyOf(definition, root))?.capabilities;
  }

  /** Stops some servers. They start again when they are used. */
  stopWhere(isMeant: (server: Pick<ServerStatus, "name">) => boolean): void {
    for (const [key, entry] of this.#entries) {
      if (!isMeant(entry.status())) continue;
      this.#entries.delete(key);
      void entry.stop().catch(() => undefined); // its process is gone
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#entries.values()].map((entry) => entry.stop()));
  }

  #open(definition: LanguageServerDefinition, root: string): PoolEntry {
    const { processes, sandbox, report, idleMs = IDLE_MS, backoffMs = BACKOFF_MS } = this.#options;
    const { name, program, args, env } = definition;
    const launch = async (onEnd: (why: string) => void): Promise<LanguageServer> => {
      let unwatch = (): void => undefined;
      const { file, args: argv } = sandbox(definition, root)?.wrap({ file: program.file, args }, { cwd: root, keepsNetwork: false }) ?? {
        file: program.file,
        args,
      };
      return LanguageServer.start(
        {
          definition,
          root,
          report,
          start: (listener) => processes.start(`lsp/${name}`, { command: file, args: argv, cwd: root, env }, listener),
          onEnd: (why) => {
            unwatch();
            onEnd(why);
          },
        },
        ({ pid, tag, close }) => {
          unwatch = this.#watch.add({
            leader: pid,
            tag,
            over: (excess) => {
              report(`the language server ${name} was stopped: ${exceededLimitText(excess)}`);
              close().catch(() => undefined); // the end of the program is reported separately
            },
          });
        },
      );
    };
    return new PoolEntry({ name, root, launch, report, idleMs, backoffMs });
  }

  #stopUnused(): void {
    const running = [...this.#entries.values()].filter((entry) => entry.isRunning && !entry.isBusy);
    for (const entry of running.slice(0, Math.max(0, running.length - MAX_RUNNING))) entry.stopInBackground();
  }
}

const keyOf = (definition: LanguageServerDefinition, root: string): string => JSON.stringify([root, definition]);

type EntryOptions = {
  name: string;
  root: string;
  launch: (onEnd: (why: string) => void) => Promise<LanguageServer>;
  report: (problem: string) => void;
  idleMs: number;
  backoffMs: number;
};

/** One server with its restarts. */
class PoolEntry {
  readonly #options: EntryOptions;
  #server: Promise<LanguageServer> | undefined;
  #isReady = false;
  #capabilities: ServerCapabilities | undefined;
  #uses = 0;
  #queue: Promise<unknown> = Promise.resolve();
  #idle: NodeJS.Timeout | undefined;
  #startedAt = 0;
  #crashes = 0;
  #notBefore = 0;
  #problem: string | undefined;

  constructor(options: EntryOptions) {
    this.#options = options;
  }

  get isBusy(): boolean {
    return this.#uses > 0;
  }

  get capabilities(): ServerCapabilities | undefined {
    return this.#capabilities;
  }

  get isRunning(): boolean {
    return this.#server !== undefined;
  }

  status(): ServerStatus {
    const { name, root } = this.#options;
    const stopped = this.#problem === undefined ? "stopped" : "failed";
    const state = this.#server === undefined ? stopped : this.#isReady ? "running" : "starting";
    return { name, root, state, ...omitUndefined({ problem: this.#problem }) };
  }

  use<T>(work: (server: LanguageServer) => Promise<T>): Promise<T> {
    clearTimeout(this.#idle);
    this.#uses++;
    const done = this.#queue.then(async () => work(await this.#start()));
    this.#queue = done.catch(() => undefined);
    const settled = () => {
      if (--this.#uses === 0) this.#waitForUse();
    };
    done.then(settled, settled);
    return done;
  }

  #start(): Promise<LanguageServer> {
    if (this.#server) return this.#server;
    if (this.#crashes > MAX_RESTARTS || performance.now() < this.#notBefore)
      return Promise.reject(new Error(this.#problem ?? "the server is not ready"));
    this.#startedAt = performance.now();
    this.#isReady = false;
    const starting = this.#options.launch((why) => {
      if (this.#server === starting) this.#crashed(why);
    });
    this.#server = starting;
    starting.then(
      ({ capabilities }) => {
        this.#isReady = true;
        this.#capabilities = capabilities;
      },
      (error: unknown) => {
        if (this.#server === starting) this.#crashed(error instanceof Error ? error.message : String(error));
      },
    );
    return starting;
  }

  #crashed(why: string): void {
    const { name, root, report, idleMs, backoffMs } = this.#options;
    this.#server = undefined;
    if (performance.now() - this.#startedAt > idleMs) this.#crashes = 0; // it had worked for a long time
    this.#crashes++;
    this.#notBefore = performance.now() + backoffMs * 2 ** (this.#crashes - 1);
    this.#problem = `the language server ${name} stopped: ${why}`;
    const next = this.#crashes > MAX_RESTARTS ? "Baton does not start it again" : "Baton starts it again when it is needed";
    report(`${this.#problem} (in ${root}). ${next}.`);
  }

  #waitForUse(): void {
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => this.stopInBackground(), this.#options.idleMs);
    this.#idle.unref();
  }

  stopInBackground(): void {
    this.stop().catch((error: unknown) =>
      this.#options.report(`the language server ${this.#options.name} could not be stopped: ${String(error)}`),
    );
  }

  /** Stops the server. The next use starts it again. */
  async stop(): Promise<void> {
    clearTimeout(this.#idle);
    const server = this.#server;
    this.#server = undefined;
    await (await server?.catch(() => undefined))?.close();
  }
}
