import type { Duplex } from "node:stream";
import type { Server } from "@modelcontextprotocol/server";
import { serveStdio, StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import type { Desk } from "./desk.ts";
import type { EndpointOptions } from "./options.ts";
import { makeServer } from "./server.ts";

/** Serves one client on a stream, in whichever era it speaks, until the stream ends. */
export async function serveStream(desk: Desk, stream: Duplex, options: EndpointOptions): Promise<void> {
  const servers = new Set<Server>();
  const handle = serveStdio(
    () => {
      const server = makeServer(desk, options);
      servers.add(server);
      return server;
    },
    { transport: new StdioServerTransport(stream, stream), onerror: () => undefined }, // a client's faults are told to the client
  );
  const forget = desk.onTools(() => {
    for (const server of servers) server.sendToolListChanged().catch(() => undefined); // one that was only probed has nobody to tell
  });
  stream.on("error", () => stream.destroy());
  stream.once("end", () => stream.end()); // a client that says no more reads no more
  await new Promise<void>((ended) => stream.once("close", ended));
  forget();
  await handle.close();
}
