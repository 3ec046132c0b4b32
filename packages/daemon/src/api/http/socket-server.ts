import type { IncomingMessage, Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { applyWSSHandler } from "@trpc/server/adapters/ws";
import { WebSocketServer, type WebSocket } from "ws";
import type { SocketUsage, ApiContext, ApiServices } from "../api-context.ts";
import { clientActor, authenticate, tokensMatch } from "./authenticate.ts";
import { answerHttp } from "./http-routes.ts";
import { appRouter } from "../router.ts";

// Importing it as a module would also load the HTTP client for unused exports, which costs 25 ms at each start.
const { createServer, STATUS_CODES } = process.getBuiltinModule("node:http");

const MAX_BYTES_PER_FRAME = 1024 * 1024;
const MAX_PENDING = 32;
const TIME_TO_AUTHENTICATE_MS = 3_000;
/** The token is wrong. Trying again is useless. */
const NOT_AUTHENTICATED = 4401;
/** No token arrived in time, perhaps because the page was busy. It may try again. */
const LATE = 4408;
/** How long a client has to close its connection. */
const TIME_TO_PART_MS = 200;

type Listening = { port: number; close: () => Promise<void> };

/** Listens on loopback at `port`, or at any free port if that is taken. Every connection goes through `authenticate`. */
export async function openSocketServer(
  port: number,
  token: string,
  served: (port: number, connections: () => SocketUsage) => ApiServices,
): Promise<Listening> {
  const server = createServer();
  const bound = await bind(server, port).catch(() => bind(server, 0));
  const sockets = new WebSocketServer({ noServer: true, maxPayload: MAX_BYTES_PER_FRAME });
  const context = served(bound, () => socketUsage(sockets.clients));
  const clientNames = new WeakMap<WebSocket, string>();
  const pending = new Set<WebSocket>();
  const handler = applyWSSHandler({
    wss: sockets,
    router: appRouter,
    keepAlive: { enabled: true, pingMs: 30_000, pongWaitMs: 10_000 },
    createContext: async ({ res, info }): Promise<ApiContext> => {
      const name = clientNames.get(res) ?? (await pageName(info.connectionParams, token, context));
      if (name === undefined) {
        setImmediate(() => res.close(NOT_AUTHENTICATED, "wrong token"));
        return { ...context, socket: res, actor: undefined };
      }
      clientNames.set(res, name);
      pending.delete(res);
      return { ...context, socket: res, actor: { person: name } };
    },
  });

  server.on("request", (request, response) => {
    answerHttp(request, response, bound, context).catch(() => response.destroy()); // a broken connection takes no answer
  });
  server.on("upgrade", (request: IncomingMessage, stream: Duplex, head: Buffer) => {
    stream.on("error", () => stream.destroy());
    const admission = authenticate(request, bound, token);
    if (admission.admit === false) return refuseUpgrade(stream, admission.status, admission.reason);
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://127.0.0.1");
    const [, profile] = /^\/mcp\/([a-z0-9][a-z0-9-]{0,49})$/.exec(pathname) ?? [];
    if (profile !== undefined && admission.admit === true && head.length === 0) {
      stream.write("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: baton-mcp\r\n\r\n");
      context.mcp.endpoint.stdio(profile, searchParams.get("workspace") ?? "/", stream).catch(() => stream.destroy()); // its client has disconnected
      return undefined;
    }
    if (pathname !== "/trpc") return refuseUpgrade(stream, 404, "There is nothing here.");
    if (admission.admit === "must-authenticate" && pending.size >= MAX_PENDING)
      return refuseUpgrade(stream, 503, "Too many connections are waiting to authenticate.");
    sockets.handleUpgrade(request, stream, head, (socket) => {
      if (admission.admit === true) clientNames.set(socket, admission.actor);
      else mustAuthenticate(socket, pending);
      sockets.emit("connection", socket, request);
    });
  });

  return {
    port: bound,
    close: async () => {
      server.close();
      handler.broadcastReconnectNotification();
      const closed = [...sockets.clients].map((socket) => new Promise((done) => socket.once("close", done)));
      for (const socket of sockets.clients) socket.close(1012, "the daemon stops");
      await Promise.race([Promise.all(closed), new Promise((enough) => setTimeout(enough, TIME_TO_PART_MS))]);
      for (const socket of sockets.clients) socket.terminate();
      server.closeAllConnections();
    },
  };
}

const socketUsage = (sockets: Iterable<WebSocket>): SocketUsage =>
  [...sockets].reduce(({ open, buffered }, socket) => ({ open: open + 1, buffered: buffered + socket.bufferedAmount }), {
    open: 0,
    buffered: 0,
  });

/** The client name of a page that has shown a token: the daemon's own, or one from a login. */
async function pageName(
  params: Record<string, unknown> | null,
  token: string,
  { auth: { acceptsToken } }: ApiServices,
): Promise<string | undefined> {
  const presented = params?.["token"];
  if (typeof presented !== "string" || !(tokensMatch(presented, token) || (await acceptsToken(presented)))) return undefined;
  return clientActor(params?.["client"]);
}

function mustAuthenticate(socket: WebSocket, pending: Set<WebSocket>): void {
  pending.add(socket);
  const timer = setTimeout(() => pending.has(socket) && socket.close(LATE, "no token within 3 s"), TIME_TO_AUTHENTICATE_MS);
  socket.on("close", () => {
    clearTimeout(timer);
    pending.delete(socket);
  });
}

function bind(server: Server, port: number): Promise<number> {
  return new Promise((bound, fail) => {
    server.once("error", fail);
    server.listen(port, "127.0.0.1", () => {
      server.off("error", fail);
      bound((server.address() as AddressInfo).port); // a listening TCP server has such an address
    });
  });
}

function refuseUpgrade(stream: Duplex, status: number, reason: string): void {
  stream.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}\r\nContent-Type: text/plain\r\nContent-Length: ${Buffer.byteLength(reason)}\r\nConnection: close\r\n\r\n${reason}`,
  );
}
