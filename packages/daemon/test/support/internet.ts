import { createServer, type IncomingMessage } from "node:http";
import { connect, type AddressInfo, type Socket } from "node:net";

/**
 * The user's proxy, which connects every host to one local server. It also receives names that do not exist, because it resolves names
 * itself.
 */
export async function internet() {
  const server = createServer((request, response) => response.end(`hello from ${request.headers.host}\n`));
  server.on("connect", (_: IncomingMessage, client: Socket) => {
    const { port } = server.address() as AddressInfo;
    const inside = connect(port, "127.0.0.1", () => client.write("HTTP/1.1 200 OK\r\n\r\n"));
    for (const socket of [client, inside]) socket.on("error", () => undefined);
    client.pipe(inside).pipe(client);
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, port, [Symbol.dispose]: () => void server.close() };
}
