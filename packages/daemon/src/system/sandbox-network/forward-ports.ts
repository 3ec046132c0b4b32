import { createServer, type Server } from "node:net";
import { joinSockets } from "./join-sockets.ts";
import type { NetworkNamespace } from "./network-namespace.ts";

const LOOK_MS = 1_000;
const MAX_FORWARDED = 16;

/**
 * While it runs, the ports on which programs listen inside are reachable on the loopback device of the machine, so that the user can open them
 * in a browser. A port that is taken gets another one. `opened` says which. `own`: ports inside that are not of programs.
 */
export function forwardPorts(
  namespace: Pick<NetworkNamespace, "ports" | "connect">,
  own: ReadonlySet<number>,
  opened: (inside: number, outside: number) => void,
): { look: () => Promise<void>; close: () => void } {
  const servers = new Map<number, Server>();
  let closed = false;

  async function look(): Promise<void> {
    const found = namespace.ports().filter((port) => !own.has(port));
    for (const [port, server] of servers) {
      if (found.includes(port)) continue;
      server.close();
      servers.delete(port);
    }
    for (const port of found) {
      if (closed || servers.has(port) || servers.size >= MAX_FORWARDED) continue;
      const server = createServer({ allowHalfOpen: true, pauseOnConnect: true }, (client) => {
        client.on("error", () => client.destroy());
        namespace.connect(port).then(
          (inside) => joinSockets(client, inside),
          () => client.destroy(),
        );
      });
      servers.set(port, server);
      const outside = (port >= 1024 ? await listen(server, port) : undefined) ?? (await listen(server, 0));
      if (outside === undefined) servers.delete(port);
      else opened(port, outside);
    }
  }

  let looking: Promise<void> | undefined;
  const timer = setInterval(() => {
    looking ??= look().finally(() => (looking = undefined));
  }, LOOK_MS).unref();
  return {
    look,
    close() {
      closed = true;
      clearInterval(timer);
      for (const server of servers.values()) server.close();
      servers.clear();
    },
  };
}

/** The port, or undefined if it is taken. */
async function listen(server: Server, port: number): Promise<number | undefined> {
  const { promise, resolve } = Promise.withResolvers<number | undefined>();
  const failed = () => resolve(undefined);
  server.once("error", failed);
  server.listen({ port, host: "127.0.0.1" }, () => {
    const address = server.address();
    resolve(address !== null && typeof address === "object" ? address.port : undefined);
  });
  const found = await promise;
  server.off("error", failed);
  return found;
}
