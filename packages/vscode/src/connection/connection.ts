import {
  connectTo,
  VersionMismatch,
  PROTOCOL,
  batonPaths,
  readDiscovery,
  type Api,
  type Connection,
  findDaemon,
  type Discovery,
  type BatonPaths,
} from "@baton/daemon/client";
import * as vscode from "vscode";
import { spawn } from "node:child_process";

/** The state of the connection. `absent` needs an action of the user; `lost` reconnects automatically. */
export type ConnectionState =
  | { kind: "connecting" }
  | { kind: "connected" }
  | { kind: "lost"; since: number }
  | { kind: "absent"; since: number; problem: string; otherVersion: boolean; notInstalled: boolean };

/** The connection of this window. It finds or starts the daemon, and restarts one that crashed. */
export class DaemonConnection implements vscode.Disposable {
  readonly #places = batonPaths(process.env);
  readonly #changed = new vscode.EventEmitter<ConnectionState>();
  readonly onState = this.#changed.event;
  #state: ConnectionState = { kind: "connecting" };
  #connect: (connection: Connection) => void = () => undefined;
  readonly #connection = new Promise<Connection>((connect) => (this.#connect = connect));
  #current: Connection | undefined;
  #reviving = false;
  #restarting: Promise<void> | undefined;
  #closed = false;
  /** Epoch milliseconds; undefined while connected. */
  #goneSince: number | undefined;

  get state(): ConnectionState {
    return this.#state;
  }

  /** The daemon's procedures, as soon as there is a connection. */
  async api(): Promise<Api> {
    await this.#connection;
    return (this.#current ?? (await this.#connection)).api;
  }

  /** Finds the daemon, or starts it in a trusted workspace. `state` has the result. */
  async connect(): Promise<void> {
    if (this.#state.kind === "connected" || this.#reviving) return;
    const isOther = this.#state.kind === "absent" && this.#state.otherVersion;
    this.#turn({ kind: "connecting" });
    this.#reviving = true;
    try {
      const found = await findOrStart(this.#places, starter());
      if (this.#closed || (this.#current && !isOther)) return; // the lost connection reconnects on its own
      const old = this.#current;
      this.#current = connectTo(found, {
        client: "editor",
        discoveryFile: this.#places.discovery,
        onOpen: () => void this.#opened().catch(() => undefined),
        onClose: () => this.#lost(),
        start: () => this.#restartCrashed(),
      });
      await old?.close();
      this.#connect(this.#current);
    } catch (error) {
      this.#turn(this.#absent(error));
    } finally {
      this.#reviving = false;
    }
  }

  /** Restarts the daemon with this version. Open requests are kept. A second call waits for the first. */
  restart(): Promise<void> {
    return (this.#restarting ??= this.#restart().finally(() => (this.#restarting = undefined)));
  }

  async #restart(): Promise<void> {
    try {
      await runBaton(starter() ?? "baton", ["daemon", "restart"]);
    } catch (error) {
      return this.#turn(this.#absent(error));
    }
    await this.connect();
  }

  dispose(): void {
    this.#closed = true;
    void this.#current?.close().catch(() => undefined);
    this.#changed.dispose();
  }

  /** The daemon may have been replaced by one of another version. */
  async #opened(): Promise<void> {
    const found = await readDiscovery(this.#places.discovery);
    if (found && found.protocol !== PROTOCOL) return this.#turn(this.#absent(new VersionMismatch(found)));
    this.#goneSince = undefined;
    this.#turn({ kind: "connected" });
  }

  #lost(): void {
    if (!this.#closed && this.#state.kind === "connected") this.#turn({ kind: "lost", since: (this.#goneSince = Date.now()) });
  }

  async #restartCrashed(): Promise<void> {
    if (this.#closed || this.#state.kind === "absent" || this.#reviving) return;
    this.#reviving = true;
    try {
      await findOrStart(this.#places, starter());
    } catch (error) {
      this.#turn(this.#absent(error));
    } finally {
      this.#reviving = false;
    }
  }

  #absent(error: unknown): ConnectionState {
    return {
      kind: "absent",
      since: (this.#goneSince ??= Date.now()),
      problem: error instanceof Error ? error.message : String(error),
      otherVersion: error instanceof VersionMismatch,
      notInstalled: error instanceof ProgramNotFound,
    };
  }

  #turn(state: ConnectionState): void {
    if (this.#closed) return;
    this.#state = state;
    this.#changed.fire(state);
  }
}

/** The program that starts the daemon; undefined in an untrusted workspace. */
const starter = (): string | undefined =>
  vscode.workspace.isTrusted ? vscode.workspace.getConfiguration("baton").get("executable", "baton") : undefined;

/** The daemon is not running and could not be started. The message says why and what to do. */
class DaemonNotStarted extends Error {}

/** There is no such program on this machine. */
class ProgramNotFound extends DaemonNotStarted {}

/** `program` is a `baton` on the PATH or a path. Without it, the extension only looks for the daemon. */
async function findOrStart(paths: BatonPaths, program: string | undefined): Promise<Discovery> {
  const running = await findDaemon(paths.discovery);
  if (running) return running;
  if (program === undefined)
    throw new DaemonNotStarted("The daemon is not running, and Baton does not start it from an untrusted workspace.");
  await runBaton(program, ["daemon", "start"]);
  const started = await findDaemon(paths.discovery);
  if (started) return started;
  throw new DaemonNotStarted(`\`${program} daemon start\` succeeded, but no daemon answers. Run \`baton doctor\` for details.`);
}

/** Runs `baton` to its end. Throws its error output if it fails. */
async function runBaton(program: string, args: readonly string[]): Promise<void> {
  const onWindows = process.platform === "win32"; // on Windows it is a script, which needs a shell
  const child = spawn(program, [...args], { stdio: ["ignore", "ignore", "pipe"], shell: onWindows, windowsHide: true });
  let output = "";
  child.stderr.on("data", (text: Buffer) => (output += text.toString()));
  const end = await new Promise<{ code: number | null } | { error: NodeJS.ErrnoException }>((settle) => {
    child.once("error", (error: NodeJS.ErrnoException) => settle({ error }));
    child.once("close", (code) => settle({ code }));
  });
  if ("error" in end && end.error.code === "ENOENT")
    throw new ProgramNotFound(`The program \`${program}\` was not found. Install Baton, or set \`baton.executable\` to its path.`);
  if ("error" in end) throw new DaemonNotStarted(`\`${program}\` could not be started: ${end.error.message}`);
  if (end.code !== 0) throw new DaemonNotStarted(output.trim() || `\`${program} ${args.join(" ")}\` exited with code ${end.code}.`);
}
