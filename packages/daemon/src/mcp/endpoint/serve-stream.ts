import type { Duplex } from "node:stream";
import type { JSONRPCMessage, Server } from "@modelcontextprotocol/server";
import { serveStdio, StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import type { ProfileBackend } from "./shared-profile-state.ts";
import { notifyListChanged } from "./notify-list-changed.ts";
import { withWatches } from "./watch-resources.ts";
import type { EndpointOptions } from "./endpoint-options.ts";
import { createMcpServer } from "./server.ts";

/** Serves one client on a stream in either protocol version, until the stream ends. */
export async function serveStream(backend: ProfileBackend, stream: Duplex, options: EndpointOptions): Promise<void> {
  const servers = new Set<Server>();
  const transport = new StdioServerTransport(stream, stream);
  const handle = serveStdio(
    () => {
      const server = createMcpServer(backend, options);
      servers.add(server);
      return server;
    },
    { transport, onerror: () => undefined }, // the client receives its own errors
  );
  const endWatches = watching(transport, backend, (uri) => {
    for (const server of servers) server.sendResourceUpdated({ uri }).catch(() => undefined); // see below
  });
  const forget = backend.onChange((what) => {
    for (const server of servers) notifyListChanged(server, what); // a server that was only probed has no client
  });
  stream.on("error", () => stream.destroy());
  stream.once("end", () => stream.end()); // a client that stopped sending no longer reads
  await new Promise<void>((ended) => stream.once("close", ended));
  forget();
  endWatches();
  await handle.close();
}

/** Handles messages before the SDK, to watch the resources that a client listens to. Returns a function that ends all watches. */
function watching(transport: StdioServerTransport, backend: ProfileBackend, updated: (uri: string) => void): () => void {
  const open = new Map<unknown, () => void>();
  const deliver = transport.onmessage?.bind(transport);
  const listen = async (id: unknown, message: JSONRPCMessage) => {
    let isOver = false;
    open.set(id, () => (isOver = true));
    const { message: narrowed, end } = await withWatches(message, backend, updated);
    if (isOver) return end();
    open.set(id, end);
    deliver?.(narrowed);
  };
  const end = (id: unknown) => {
    open.get(id)?.();
    open.delete(id);
  };
  transport.onmessage = (message) => {
    const method = "method" in message ? message.method : undefined;
    if (method === "subscriptions/listen" && "id" in message) return void listen(message.id, message);
    if (method === "notifications/cancelled" && "params" in message) end(message.params?.["requestId"]);
    deliver?.(message);
  };
  return () => {
    for (const id of open.keys()) end(id);
  };
}
