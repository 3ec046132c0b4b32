import { spawn, type ChildProcess } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { connectTo, daemonEnv, readDiscovery, type Connection, type Discovery } from "../../src/client/index.ts";
import { TestSession } from "./session.ts";

/** The daemon as it ships. */
export const bundle = fileURLToPath(new URL("../../dist/main.js", import.meta.url));

/** Every test has a new home. All homes share one folder of compiled code, as in a home that is used every day. */
export const compiled = fileURLToPath(new URL("../../node_modules/.cache/compiled", import.meta.url));

type Config = Record<string, unknown>;

export type DaemonOptions = {
  /** The config, or a function that makes it in the folder of this daemon, which may contain scripts. */
  config?: Config | ((root: string) => Config);
  configText?: string;
  env?: Record<string, string>;
  home?: string;
  /** Another program than the bundle, such as one that kills itself at a commit. */
  program?: string;
  args?: string[];
};

/** The bundle that records which of its code ran, if coverage is measured; see `test/coverage/main.ts`. */
const measuring = (): string => process.env["BATON_MEASURING"] ?? "";
const recorder = fileURLToPath(new URL("../coverage/record.ts", import.meta.url));

/** The usual number of attempts, without the waits between them. */
const FAST: Config["retries"] = { firstWait: 0.001 };

/** A real daemon with its own home and workspace, in a temporary folder that is removed with it. */
export class TestDaemon implements AsyncDisposable {
  readonly root: string;
  readonly home: string;
  readonly workspace: string;
  readonly #options: DaemonOptions;
  readonly #connections: Connection[] = [];
  readonly #hasSandbox: boolean;
  #process: ChildProcess | undefined;
  discovery!: Discovery;

  private constructor(options: DaemonOptions) {
    this.#options = options;
    this.root = mkdtempSync(path.join(tmpdir(), "baton-test-"));
    this.home = options.home ?? path.join(this.root, "home");
    this.workspace = path.join(this.root, "work");
    mkdirSync(this.home, { recursive: true });
    mkdirSync(this.workspace);
    const config: Config | undefined = typeof options.config === "function" ? options.config(this.root) : options.config;
    this.#hasSandbox = config?.["sandbox"] !== undefined;
    const text = options.configText ?? (config === undefined ? undefined : JSON.stringify({ retries: FAST, ...config }, undefined, 2));
    if (text !== undefined) writeFileSync(path.join(this.home, "config.jsonc"), text);
  }

  static async start(options: DaemonOptions = {}): Promise<TestDaemon> {
    const daemon = new TestDaemon(options);
    await daemon.start();
    return daemon;
  }

  /** Starts the process, or starts it again after it ended, and waits until it listens. */
  async start({
    program = this.#options.program ?? (measuring() || bundle),
    args = this.#options.args ?? (measuring() ? ["--import", recorder] : []),
    env = {},
  }: Pick<DaemonOptions, "program" | "args" | "env"> = {}): Promise<void> {
    const process_ = spawn(process.execPath, [...args, program], {
      stdio: ["ignore", "pipe", "inherit"],
      env: {
        ...daemonEnv,
        PATH: process.env["PATH"],
        HOME: this.root,
        BATON_HOME: this.home,
        ...(this.#hasSandbox ? {} : { BATON_SANDBOX: "off" }), // not every machine has one
        ...recording(),
        ...this.#options.env,
        ...env,
      },
    });
    this.#process = process_;
    await new Promise<void>((ready, fail) => {
      process_.stdout?.once("data", () => ready());
      process_.once("exit", (code, signal) => fail(new Error(`the daemon ended before it was ready: ${code ?? signal}`)));
    });
    const discovery = await readDiscovery(path.join(this.home, "daemon.json"));
    if (!discovery) throw new Error("the daemon is ready but has left no daemon.json");
    this.discovery = discovery;
  }

  get pid(): number {
    return this.discovery.pid;
  }

  /** Stops the process and waits for its end. */
  async kill(signal: NodeJS.Signals = "SIGKILL"): Promise<void> {
    const ended = this.ended();
    this.#process?.kill(signal);
    await ended;
  }

  /** Resolves with the exit code when the process has ended, for any reason. */
  ended(): Promise<number | null> {
    const process_ = this.#process;
    if (!process_ || process_.exitCode !== null || process_.signalCode !== null) return Promise.resolve(process_?.exitCode ?? null);
    return new Promise((done) => process_.once("exit", (code) => done(code)));
  }

  /** A separate client, which reconnects after a restart. */
  connect(client = "test"): Connection {
    const connection = connectTo(this.discovery, { client, discoveryFile: path.join(this.home, "daemon.json") });
    this.#connections.push(connection);
    return connection;
  }

  /** A new session in the workspace, with a separate client. */
  async session(options: { mode?: string; model?: string; client?: string } = {}): Promise<TestSession> {
    const { api } = this.connect(options.client);
    const { mode, model } = options;
    const created = await api.session.create.mutate({
      commandId: crypto.randomUUID(),
      workspace: this.workspace,
      ...(mode === undefined ? {} : { mode }),
      ...(model === undefined ? {} : { model }),
    });
    return new TestSession(api, created.id);
  }

  /** The same session in another client. */
  attach(id: string, client?: string): TestSession {
    return new TestSession(this.connect(client).api, id);
  }

  write(file: string, text: string): string {
    const whole = path.join(this.workspace, file);
    mkdirSync(path.dirname(whole), { recursive: true });
    writeFileSync(whole, text);
    return whole;
  }

  read(file: string): string {
    const whole = path.join(this.workspace, file);
    return existsSync(whole) ? readFileSync(whole, "utf8") : "";
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const { close } of this.#connections) await close();
    await this.kill(measuring() ? "SIGUSR2" : "SIGKILL");
    rmSync(this.root, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  }
}

/** The variables for a daemon whose coverage is measured. Code that was compiled before does not report what ran. */
function recording(): Record<string, string> {
  const { BATON_MEASURED = "", BATON_RECORDS = "" } = process.env;
  return measuring() ? { BATON_MEASURED, BATON_RECORDS, NODE_DISABLE_COMPILE_CACHE: "1" } : { NODE_COMPILE_CACHE: compiled };
}
