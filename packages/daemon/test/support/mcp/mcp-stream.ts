import { connect, type Socket } from "node:net";
import { createInterface } from "node:readline";
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import type { TestDaemon } from "../daemon.ts";

/** A client's connection to the endpoint on a bare stream of lines, like that of `baton mcp serve`. */
export async function streamTo(daemon: TestDaemon, profile: string): Promise<Transport> {
  const socket = await upgraded(daemon, `/mcp/${profile}?workspace=${encodeURIComponent(daemon.workspace)}`);
  /** The SDK handles a notification one microtask later than a response, and would drop progress that arrives together with its result. */
  const deliver = (message: JSONRPCMessage) =>
    "method" in message ? transport.onmessage?.(message) : queueMicrotask(() => transport.onmessage?.(message));
  const transport: Transport = {
    start() {
      createInterface({ input: socket }).on("line", (line) => deliver(JSON.parse(line) as JSONRPCMessage));
      socket.on("close", () => transport.onclose?.());
      return Promise.resolve();
    },
    send: (message) => new Promise((sent) => socket.write(`${JSON.stringify(message)}\n`, () => sent())),
    close: () => Promise.resolve(void socket.destroy()),
  };
  return transport;
}

function upgraded({ discovery: { port, token } }: TestDaemon, path: string): Promise<Socket> {
  return new Promise((open, failed) => {
    const socket = connect({ port, host: "127.0.0.1" });
    const headers = [`Host: 127.0.0.1:${port}`, "Connection: Upgrade", "Upgrade: baton-mcp", `Authorization: Bearer ${token}`];
    socket.once("error", failed);
    socket.once("data", (head: Buffer) => {
      const text = head.toString();
      if (text.startsWith("HTTP/1.1 101") && text.endsWith("\r\n\r\n")) open(socket);
      else failed(new Error(text));
    });
    socket.write(`GET ${path} HTTP/1.1\r\n${[...headers, "X-Baton-Client: mcp"].join("\r\n")}\r\n\r\n`);
  });
}
