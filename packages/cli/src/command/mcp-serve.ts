import { realpathSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { findOrStart, placesOf, type Discovery } from "@baton/daemon/client";
import { asStop } from "./link.ts";
import { EXIT, Stop } from "./stop.ts";

export type ServeOptions = { profile?: string; cwd?: string };

const END = "\r\n\r\n";

/** An MCP server on standard input and output: lines go to the daemon and come back as they are. Nothing else is printed. */
export async function serve({ profile = "default", cwd = process.cwd() }: ServeOptions): Promise<void> {
  const daemon = await findOrStart(placesOf(process.env), process.env).catch(asStop);
  const socket = await letIn(daemon, `/mcp/${profile}?workspace=${encodeURIComponent(realpathSync(cwd))}`);
  process.stdin.pipe(socket);
  socket.pipe(process.stdout);
  await new Promise<void>((ended) => {
    socket.on("error", () => ended()); // the client is told by the end of this program
    socket.on("close", () => ended());
  });
}

/** Asks for a bare stream in place of HTTP. What comes after the answer is the stream already. */
function letIn({ port, token }: Discovery, path: string): Promise<Socket> {
  return new Promise((open, failed) => {
    const socket = connect({ port, host: "127.0.0.1" });
    let answer = Buffer.alloc(0);
    const take = (chunk: Buffer) => {
      answer = Buffer.concat([answer, chunk]);
      const end = answer.indexOf(END);
      if (end < 0) return;
      socket.off("data", take);
      socket.off("error", failed);
      socket.pause();
      if (!answer.subarray(0, end).toString().startsWith("HTTP/1.1 101"))
        return failed(new Stop(`The daemon does not serve ${path}: ${answer.toString().split(END)[1] ?? ""}`, EXIT.failed));
      socket.unshift(answer.subarray(end + END.length));
      open(socket);
    };
    socket.on("error", failed);
    socket.on("data", take);
    const headers = [
      `Host: 127.0.0.1:${port}`,
      "Connection: Upgrade",
      "Upgrade: baton-mcp",
      `Authorization: Bearer ${token}`,
      "X-Baton-Client: mcp",
    ];
    socket.write(`GET ${path} HTTP/1.1\r\n${headers.join("\r\n")}${END}`);
  });
}
