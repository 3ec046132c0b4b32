import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

/** A request to a server. `at` is when it started to arrive, in `performance.now()` of this process. */
export type Asked = { method: string; url: string; headers: IncomingHttpHeaders; body: string; at: number };

/** A server on loopback that receives a whole body each time. The caller supplies its answers. */
export abstract class LoopbackServer implements AsyncDisposable {
  readonly #server = createServer((request, response) => void this.#read(request, response));

  /** Its address, on a free port. */
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
    if (body === undefined) response.destroy(); // the client has disconnected
    else await this.answer({ method, url, headers, body, at }, response);
  }
}
