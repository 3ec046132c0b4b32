import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

/** What a server was asked; `at` is when it began to come, in `performance.now()` of this process. */
export type Asked = { method: string; url: string; headers: IncomingHttpHeaders; body: string; at: number };

/** A server on loopback that is asked with a whole body each time. What it answers is its own. */
export abstract class LoopbackServer implements AsyncDisposable {
  readonly #server = createServer((request, response) => void this.#read(request, response));

  /** Where it is, at a port that was free. */
  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((closed) => this.#server.close(closed));
  }

  protected async listening(): Promise<this> {
    await new Promise<void>((listens) => this.#server.listen(0, "127.0.0.1", listens));
    return this;
  }

  protected abstract answer(asked: Asked, response: ServerResponse): void | Promise<void>;

  async #read(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const at = performance.now();
    const { method = "GET", url = "", headers } = request;
    const body = await text(request).catch(() => undefined);
    if (body === undefined) response.destroy(); // who asked has gone
    else await this.answer({ method, url, headers, body, at }, response);
  }
}
