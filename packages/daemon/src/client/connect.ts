import { commandLinks } from "@baton/core/client/command-links";
import { createTRPCClient, createWSClient, wsLink, type TRPCClient, type TRPCWebSocketClient } from "@trpc/client";
import { WebSocket } from "ws";
import type { AppRouter } from "../api/router.ts";
import { findDaemon, PROTOCOL, type Discovery } from "./discovery.ts";

export type Api = TRPCClient<AppRouter>;

/** A connection that finds its way back by itself: after a cut, and to a daemon that was started anew. */
export type Connection = { api: Api; socket: TRPCWebSocketClient; close: () => Promise<void> };

export type ConnectOptions = {
  /** How this client is called where its answers are shown: `terminal`, `run`, `page`, `editor`. */
  client: string;
  /** Where to look again when the connection is lost. */
  discoveryFile: string;
  onOpen?: () => void;
  onClose?: () => void;
};

/** Connects to a daemon that was found. Throws when it speaks another protocol. */
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
    // All that tRPC uses of a WebSocket, ws has too. Node's own would load its whole HTTP client at each start of a command.
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

/** Client and daemon are of different versions and cannot talk. */
export class VersionMismatch extends Error {
  constructor({ version, protocol }: Discovery) {
    super(
      `The running daemon is of another version (${version}, protocol ${protocol}; this client speaks ${PROTOCOL}). \`baton daemon restart\` starts the right one; open requests are kept.`,
    );
  }
}
