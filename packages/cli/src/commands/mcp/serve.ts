import { realpathSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { findDaemon, findOrStart, batonPaths, type Discovery } from "@baton/daemon/client";
import { readLimitedLines } from "../../run/read-limited-lines.ts";
import { toCommandExit } from "../../connection/daemon-connection.ts";
import { jsonRpcError, openStdioProxy } from "./stdio-proxy.ts";
import { EXIT_CODES, CommandExit } from "../../connection/exit-codes.ts";

export type ServeOptions = { profile?: string; cwd?: string };

const END = "\r\n\r\n";

/** Larger messages are refused. The SDK stops reading for good when 10 MiB are buffered. */
const MAX_MESSAGE = 10_000_000;
const INVALID_REQUEST = -32_600;
/** How long open requests may take after the client has closed its end. */
const PATIENCE_MS = 2_000;

/** An MCP server on standard input and output. It passes lines to the daemon and back, and prints nothing else. */
export async function serve({ profile = "default", cwd = process.cwd() }: ServeOptions): Promise<void> {
  const paths = batonPaths(process.env);
  const path = `/mcp/${profile}?workspace=${encodeURIComponent(realpathSync(cwd))}`;
  const write = (line: string): void => void process.stdout.write(`${line}\n`);
  const bridge = openStdioProxy({
    write,
    connect: async () => openStream(await findOrStart(paths, process.env).catch(toCommandExit), path),
    reconnect: async () => {
      const found = await findDaemon(paths.discovery);
      return found && openStream(found, path);
    },
  });
  process.stdout.on("error", () => process.exit(EXIT_CODES.failed)); // the client is gone
  for await (const line of readLimitedLines(process.stdin, MAX_MESSAGE)) {
    if ("text" in line) await bridge.send(line.text);
    else write(jsonRpcError(idIn(line.tooLong), `The message is longer than ${MAX_MESSAGE / 1_000_000} MB.`, INVALID_REQUEST));
  }
  await bridge.close(PATIENCE_MS);
}

/** Finds the id in the start of a message. */
function idIn(beginning: string): string | number | null {
  const [, id] = /"id"\s*:\s*("(?:[^"\\]|\\.)*"|-?\d+)/.exec(beginning) ?? [];
  return id === undefined ? null : (JSON.parse(id) as string | number); // the expression matches nothing else
}

/** Upgrades an HTTP connection to a plain stream. Data after the response belong to the stream. */
function openStream({ port, token }: Discovery, path: string): Promise<Socket> {
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
        return failed(new CommandExit(`The daemon does not serve ${path}: ${answer.toString().split(END)[1] ?? ""}`, EXIT_CODES.failed));
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
