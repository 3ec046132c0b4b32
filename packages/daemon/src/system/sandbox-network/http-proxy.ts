import type { ClientRequest, IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { endToEndHeaders, headerPairs } from "./headers.ts";
import { joinSockets } from "./join-sockets.ts";
import type { ConnectTarget } from "./connect-target.ts";
import { authorityOf, readAuthority, readTarget, type NetworkTarget } from "./network-target.ts";

const MAX_HEAD = 32 * 1024;
const MAX_HEADERS = 200;

/**
 * An HTTP proxy without a port of its own: it takes connections by its event `connection`. Node's parser refuses ambiguous requests, such as
 * those with two lengths. Each connection carries one request, so nothing can be smuggled behind it. `began` is called when a head is complete.
 */
export async function openHttpProxy(reach: ConnectTarget, began: (socket: Duplex) => void): Promise<Server> {
  // Imported here, because importing node:http would delay the start of the daemon.
  const { createServer, request: send } = await import("node:http");
  const server = createServer({ maxHeaderSize: MAX_HEAD, keepAlive: false, insecureHTTPParser: false, requireHostHeader: false });
  server.maxHeadersCount = MAX_HEADERS;
  server.maxRequestsPerSocket = 1;
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    const status = error.code === "HPE_HEADER_OVERFLOW" ? "431 Request Header Fields Too Large" : "400 Bad Request";
    answer(socket, status, `Baton: this is no valid HTTP request (${error.code ?? error.message}).`);
  });
  server.on("request", (request, response) => {
    began(request.socket);
    forward(request, response, reach, send).catch((error: unknown) => respond(response, 502, messageOf(error)));
  });
  server.on("connect", (request: IncomingMessage, socket: Socket, head: Buffer) => {
    began(socket);
    tunnel(socket, head, readAuthority(request.url ?? ""), "HTTP/1.1 200 Connection established\r\n\r\n", reach);
  });
  server.on("upgrade", (request: IncomingMessage, socket: Socket, head: Buffer) => {
    began(socket);
    const url = readAbsolute(request.url ?? "");
    if ("refused" in url) return answer(socket, "400 Bad Request", url.refused);
    const lines = [`${request.method} ${url.path} HTTP/1.1`, `Host: ${url.authority}`];
    const kept = headerPairs(request.rawHeaders).filter(([name]) => !/^(host|proxy-.*)$/i.test(name));
    const whole = [...lines, ...kept.map(([name, value]) => `${name}: ${value}`), "", ""].join("\r\n");
    tunnel(socket, Buffer.concat([Buffer.from(whole, "latin1"), head]), url.target, "", reach);
  });
  return server;
}

/** Connects a client with a target. `first`: bytes for the target. `greeting`: bytes for the client when the connection exists. */
function tunnel(client: Socket, first: Buffer, target: NetworkTarget | { refused: string }, greeting: string, reach: ConnectTarget): void {
  if ("refused" in target) return answer(client, "400 Bad Request", `Baton: ${target.refused}`);
  client.on("error", () => client.destroy());
  reach(target, client).then(
    (found) => {
      if ("refused" in found) return answer(client, "403 Forbidden by Baton", found.refused);
      if ("failed" in found) return answer(client, "502 Bad Gateway", found.failed);
      if (greeting !== "") client.write(greeting);
      if (first.length > 0) found.socket.write(first);
      return joinSockets(client, found.socket);
    },
    (error: unknown) => answer(client, "502 Bad Gateway", messageOf(error)),
  );
}

/** Forwards a plain request. The target comes from the address alone, and the header Host follows it (RFC 9112, 3.2.2). */
async function forward(
  request: IncomingMessage,
  response: ServerResponse,
  reach: ConnectTarget,
  send: (options: object) => ClientRequest,
): Promise<void> {
  const url = readAbsolute(request.url ?? "");
  if ("refused" in url) return respond(response, 400, url.refused);
  const found = await reach(url.target, request.socket);
  if ("refused" in found) return respond(response, 403, found.refused);
  if ("failed" in found) return respond(response, 502, found.failed);
  const headers = [...endToEndHeaders(request).flat(), "Host", url.authority, "Connection", "close"];
  const outgoing = send({ createConnection: () => found.socket, method: request.method, path: url.path, headers, setHost: false });
  outgoing.on("response", (incoming) => {
    response.shouldKeepAlive = false;
    response.writeHead(incoming.statusCode ?? 502, incoming.statusMessage, [...endToEndHeaders(incoming).flat(), "Connection", "close"]);
    incoming.pipe(response);
    incoming.on("error", () => response.destroy());
  });
  outgoing.on("error", (error) => (response.headersSent ? response.destroy() : respond(response, 502, messageOf(error))));
  response.once("close", () => found.socket.destroy());
  request.pipe(outgoing);
}

type Absolute = { target: NetworkTarget; authority: string; path: string };

/** Reads the address of a plain request, which must name its host. */
function readAbsolute(text: string): Absolute | { refused: string } {
  const [, authority, path] = /^http:\/\/([^/?#\\@\s]*)([/?][^\s#]*)?$/i.exec(text) ?? [];
  if (authority === undefined)
    return {
      refused: "Baton: this is a proxy. Send it an address that begins with http:// and a host, without a user name, or use CONNECT.",
    };
  const target = /:\d+$/.test(authority) ? readAuthority(authority) : readTarget(authority, 80);
  if ("refused" in target) return { refused: `Baton: ${target.refused}` };
  const rest = path ?? "/";
  return { target, authority: authorityOf(target, 80), path: rest.startsWith("/") ? rest : `/${rest}` };
}

function respond(response: ServerResponse, status: number, text: string): void {
  if (response.headersSent) return void response.destroy();
  response.writeHead(status, status === 403 ? "Forbidden by Baton" : undefined, { "content-type": "text/plain", connection: "close" });
  response.end(`${text}\n`);
}

function answer(socket: Duplex, status: string, text: string): void {
  if (socket.destroyed || !socket.writable) return void socket.destroy();
  const body = `${text}\n`;
  const head = `HTTP/1.1 ${status}\r\nContent-Type: text/plain\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n`;
  socket.on("error", () => socket.destroy());
  socket.end(head + body, () => socket.destroy());
}

const messageOf = (error: unknown): string => `Baton: ${error instanceof Error ? error.message : String(error)}`;
