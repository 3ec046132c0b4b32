import { createServer, STATUS_CODES, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { applyWSSHandler } from "@trpc/server/adapters/ws";
import { WebSocketServer, type WebSocket } from "ws";
import type { Connections, Context, Served } from "./context.ts";
import { actorOf, admit, sameToken } from "./door.ts";
import { appRouter } from "./router.ts";

const MOST_BYTES_A_FRAME = 1024 * 1024;
const MOST_PENDING = 32;
const TIME_TO_AUTHENTICATE_MS = 3_000;

export type Listening = { port: number; close: () => Promise<void> };

/** Listens on loopback at `port`, or at any free port when that is taken. Everything that comes in goes through `admit`. */
export async function listen(
  port: number,
  token: string,
  served: (port: number, connections: () => Connections) => Served,
): Promise<Listening> {
  const server = createServer();
  const bound = await bind(server, port).catch(() => bind(server, 0));
  const sockets = new WebSocketServer({ noServer: true, maxPayload: MOST_BYTES_A_FRAME });
  const context = served(bound, () => connectionsOf(sockets.clients));
  const known = new WeakMap<WebSocket, string>();
  const pending = new Set<WebSocket>();
  const handler = applyWSSHandler({
    wss: sockets,
    router: appRouter,
    keepAlive: { enabled: true, pingMs: 30_000, pongWaitMs: 10_000 },
    createContext: ({ res, info }): Context => {
      const shown = info.connectionParams?.["token"];
      if (!known.has(res) && shown !== undefined && sameToken(shown, token)) known.set(res, actorOf(info.connectionParams?.["client"]));
      const name = known.get(res);
      if (name !== undefined) pending.delete(res);
      else setImmediate(() => res.close(4401, "wrong token"));
      return { ...context, socket: res, actor: name === undefined ? undefined : { person: name } };
    },
  });

  server.on("request", (request, response) => answerHttp(request, response, bound, context));
  server.on("upgrade", (request: IncomingMessage, stream: Duplex, head: Buffer) => {
    stream.on("error", () => stream.destroy());
    const admission = admit(request, bound, token);
    if (admission.admit === false) return refuseUpgrade(stream, admission.status, admission.reason);
    if (new URL(request.url ?? "/", "http://127.0.0.1").pathname !== "/trpc") return refuseUpgrade(stream, 404, "There is nothing here.");
    if (admission.admit === "must-authenticate" && pending.size >= MOST_PENDING)
      return refuseUpgrade(stream, 503, "Too many connections wait to authenticate.");
    sockets.handleUpgrade(request, stream, head, (socket) => {
      if (admission.admit === true) known.set(socket, admission.actor);
      else mustAuthenticate(socket, pending);
      sockets.emit("connection", socket, request);
    });
  });

  return {
    port: bound,
    close: async () => {
      handler.broadcastReconnectNotification();
      for (const socket of sockets.clients) socket.close(1012, "the daemon stops");
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
      for (const socket of sockets.clients) socket.terminate();
    },
  };
}

const connectionsOf = (sockets: Iterable<WebSocket>): Connections =>
  [...sockets].reduce(({ open, buffered }, socket) => ({ open: open + 1, buffered: buffered + socket.bufferedAmount }), {
    open: 0,
    buffered: 0,
  });

function mustAuthenticate(socket: WebSocket, pending: Set<WebSocket>): void {
  pending.add(socket);
  const timer = setTimeout(() => pending.has(socket) && socket.close(4401, "no token within 3 s"), TIME_TO_AUTHENTICATE_MS);
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
      bound((server.address() as AddressInfo).port); // a TCP server that listens has such an address
    });
  });
}

function refuseUpgrade(stream: Duplex, status: number, reason: string): void {
  stream.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}\r\nContent-Type: text/plain\r\nContent-Length: ${Buffer.byteLength(reason)}\r\nConnection: close\r\n\r\n${reason}`,
  );
}

/** Liveness, and nothing else yet. It says who answers, so that a client shows its token to this daemon only. */
function answerHttp(request: IncomingMessage, response: ServerResponse, port: number, context: Served): void {
  const admission = admit(request, port, "");
  const misdirected = admission.admit === false && admission.status !== 401;
  const found = request.method === "GET" && request.url === "/healthz";
  const status = misdirected ? admission.status : found ? 200 : 404;
  const { bootId, protocol, version } = context.status();
  response.writeHead(status, { "content-type": "application/json", "x-content-type-options": "nosniff", "cache-control": "no-store" });
  response.end(
    JSON.stringify(
      status === 200 ? { ok: true, bootId, protocol, version } : { error: misdirected ? admission.reason : "There is nothing here." },
    ),
  );
}
