import type { Server as HttpServer } from "node:http";
import type { Server, Socket } from "node:net";
import type { Duplex } from "node:stream";
import { openHttpProxy } from "./http-proxy.ts";
import type { ConnectTarget } from "./connect-target.ts";
import { serveSocks } from "./socks-proxy.ts";

/** How many connections one network may have at once. More are refused. */
const MAX_CONNECTIONS = 512;
/** How long a client may take for its request. */
const MAX_HEAD_MS = 15_000;

/** Serves HTTP and SOCKS on the same port, which the first byte tells apart. Returns a function that ends all connections. */
export async function serveProxy(listener: Server, reach: ConnectTarget): Promise<() => void> {
  const sockets = new Set<Socket>();
  const late = new WeakMap<Duplex, NodeJS.Timeout>();
  const began = (socket: Duplex) => clearTimeout(late.get(socket));
  const http = await openHttpProxy(reach, began);
  listener.on("connection", (socket) => {
    socket.on("error", () => socket.destroy());
    if (sockets.size >= MAX_CONNECTIONS) return void socket.end(TOO_MANY, () => socket.destroy());
    sockets.add(socket);
    late.set(
      socket,
      setTimeout(() => socket.destroy(), MAX_HEAD_MS),
    );
    socket.once("close", () => {
      sockets.delete(socket);
      began(socket);
    });
    socket.setNoDelay(true);
    socket.once("readable", () => dispatch(socket, http, reach, began));
  });
  return () => {
    listener.close();
    for (const socket of sockets) socket.destroy();
  };
}

const TOO_MANY = `HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\n\r\nBaton: this session has ${MAX_CONNECTIONS} connections already.\n`;

function dispatch(socket: Socket, http: HttpServer, reach: ConnectTarget, began: (socket: Duplex) => void): void {
  const first: unknown = socket.read(1);
  if (!(first instanceof Buffer)) return void socket.destroy(); // it ended without a byte
  socket.unshift(first);
  if (first[0] === 4 || first[0] === 5) serveSocks(socket, reach, began).catch(() => socket.destroy());
  else http.emit("connection", socket);
}
