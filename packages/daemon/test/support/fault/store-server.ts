import { spawn, type ChildProcess } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";

/** The libSQL server for this platform, if its package has one (it needs glibc, and there is none for Windows). */
export const storeServer: string | undefined = (() => {
  try {
    const wrapper = createRequire(import.meta.url).resolve("sqld/package.json");
    const own = createRequire(wrapper).resolve(`@sqld/${process.platform}-${process.arch}/package.json`);
    const program = path.join(path.dirname(own), "sqld");
    return existsSync(program) ? program : undefined;
  } catch {
    return undefined;
  }
})();

/** A real libSQL server with its own store. */
export class StoreServer implements AsyncDisposable {
  readonly url: string;
  readonly #folder: string;
  readonly #process: ChildProcess;

  private constructor(url: string, folder: string, process_: ChildProcess) {
    this.url = url;
    this.#folder = folder;
    this.#process = process_;
  }

  /** Starts a server. Another process can take a free port before the server does: then the server ends, and the next try has new ports. */
  static async start(): Promise<StoreServer> {
    for (let tries = 0; tries < 5; tries++) {
      const folder = mkdtempSync(path.join(tmpdir(), "baton-sqld-"));
      const [http, grpc] = [await freePort(), await freePort()];
      const args = ["-d", path.join(folder, "store"), "--http-listen-addr", `127.0.0.1:${http}`, "--grpc-listen-addr", `127.0.0.1:${grpc}`];
      const process_ = spawn(storeServer ?? "sqld", args, { stdio: "ignore", cwd: folder });
      const server = new StoreServer(`http://127.0.0.1:${http}`, folder, process_);
      if (await server.#answers()) return server;
      await server[Symbol.asyncDispose]();
    }
    throw new Error("sqld does not answer");
  }

  /** Waits until the server answers. False: it ended, or did not answer within 30 seconds. */
  async #answers(): Promise<boolean> {
    const end = performance.now() + 30_000;
    while (!hasEnded(this.#process) && performance.now() < end) {
      const answered = await fetch(`${this.url}/health`).catch(() => undefined);
      if (answered?.ok && !hasEnded(this.#process)) return true;
      await new Promise((look) => setTimeout(look, 20));
    }
    return false;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!hasEnded(this.#process)) {
      const ended = new Promise((end) => this.#process.once("exit", end));
      this.#process.kill("SIGKILL");
      await ended;
    }
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null;

function freePort(): Promise<number> {
  const server = createServer();
  return new Promise((found) =>
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => found(port));
    }),
  );
}
