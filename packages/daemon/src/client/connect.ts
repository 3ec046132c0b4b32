import { commandLinks } from "@baton/core/client/commands";
import { createTRPCClient, createWSClient, wsLink, type TRPCClient, type TRPCWebSocketClient } from "@trpc/client";
import { WebSocket } from "ws";
import type { AppRouter } from "../api/router.ts";
import { findDaemon, PROTOCOL, type Discovery } from "./discovery.ts";

export type Api = TRPCClient<AppRouter>;

/** A connection that reconnects by itself, even to a restarted daemon. */
export type Connection = { api: Api; socket: TRPCWebSocketClient; close: () => Promise<void> };

export type ConnectOptions = {
  /** The kind of client that answers come from: `terminal`, `run`, `page`, `editor`. */
  client: string;
  /** The file to read the address from after the connection is lost. */
  discoveryFile: string;
  onOpen?: () => void;
  onClose?: () => void;
};

/** Connects to a running daemon. Throws `VersionMismatch` if it speaks another protocol. */
export function connectTo(found: Discovery, { client, discoveryFile, onOpen, onClose }: ConnectOptions): Connection {
  if (found.protocol !== PROTOCOL) throw new VersionMismatch(found);
  let current = found;
  class Socket extends WebSocket {
    constructor(url: string | URL) {
      super(url, { headers: { authorization: `Bearer ${current.token}`, "x-baton-client": client }, perMessageDeflate: false });
    }
  }
  const socket = createWSClient({
    url: async () => {
      current = (await findDaemon(discoveryFile)) ?? current;
      return `ws://127.0.0.1:${current.port}/trpc`;
    },
    // ws has everything that tRPC uses of a WebSocket. Node's own would load its HTTP client at each start of a command.
    WebSocket: Socket as unknown as typeof globalThis.WebSocket,
    retryDelayMs: (attempt) => Math.min(50 * 2 ** attempt, 1_000),
    ...(onOpen ? { onOpen } : {}),
    ...(onClose ? { onClose } : {}),
  });
  return {
    api: createTRPCClient<AppRouter>({ links: [...commandLinks<AppRouter>(), wsLink({ client: socket })] }),
    socket,
    close: () => socket.close(),
  };
}

/** The versions of client and daemon are incompatible. */
export class VersionMismatch extends Error {
  constructor({ version, protocol }: Discovery) {
    super(
      `The running daemon has another version (${version}, protocol ${protocol}; this client needs ${PROTOCOL}). Run \`baton daemon restart\` to start the right one. Open requests are kept.`,
    );
  }
}
