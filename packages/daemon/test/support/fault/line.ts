import { connect, createServer, type AddressInfo, type Server, type Socket } from "node:net";

/** A connection to a server that a test can cut. */
export class Line implements AsyncDisposable {
  readonly url: string;
  readonly #server: Server;
  readonly #sockets: Set<Socket>;
  #isCut = false;

  private constructor(url: string, server: Server, sockets: Set<Socket>) {
    this.url = url;
    this.#server = server;
    this.#sockets = sockets;
    server.on("connection", (socket) => this.#isCut && socket.destroy());
  }

  static async to(target: string): Promise<Line> {
    const { hostname, port } = new URL(target);
    const sockets = new Set<Socket>();
    const server = createServer((near) => {
      const far = connect(Number(port), hostname);
      for (const [socket, other] of [
        [near, far],
        [far, near],
      ] as const) {
        sockets.add(socket);
        socket.on("error", () => other.destroy()).on("close", () => (sockets.delete(socket), other.destroy()));
        socket.pipe(other);
      }
    });
    await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
    return new Line(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, server, sockets);
  }

  /** Cuts all connections, and accepts no new ones. */
  cut(): void {
    this.#isCut = true;
    for (const socket of this.#sockets) socket.destroy();
  }

  mend(): void {
    this.#isCut = false;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.cut();
    await new Promise((closed) => this.#server.close(closed));
  }
}
