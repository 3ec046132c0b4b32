import { omitUndefined } from "@baton/core/text/omit-undefined";
import { commandLinks } from "@baton/core/client/command-client";
import { createTRPCClient, createWSClient, wsLink, type TRPCClient, type TRPCWebSocketClient } from "@trpc/client";
import { WebSocket } from "ws";
import type { AppRouter } from "../api/router.ts";
import { findDaemon, PROTOCOL, readDiscovery, type Discovery } from "./discovery.ts";
import { isProcessAlive } from "./process-alive.ts";

export type Api = TRPCClient<AppRouter>;

/** A connection that reconnects by itself, even to a restarted daemon. Without `start` it waits until another program has started one. */
export type Connection = { api: Api; socket: TRPCWebSocketClient; close: () => Promise<void> };

export type ConnectOptions = {
  /** The kind of client that answers come from: `terminal`, `run`, `page`, `editor`. */
  client: string;
  /** The file to read the address from after the connection is lost. */
  discoveryFile: string;
  /**
   * Starts the daemon again after it crashed, such as `() => findOrStart(paths, env)`. It is not called for a daemon that the user stopped.
   * If it fails, it is called again after the next attempt to connect.
   */
  start?: () => Promise<unknown>;
  onOpen?: () => void;
  /** Called when the connection is lost, after each failed attempt to connect, and by `close`. */
  onClose?: () => void;
};

/** Connects to a running daemon. Throws `VersionMismatch` if it speaks another protocol. */
export function connectTo(found: Discovery, { client, discoveryFile, start, onOpen, onClose }: ConnectOptions): Connection {
  if (found.protocol !== PROTOCOL) throw new VersionMismatch(found);
  let current = found;
  let closed = false;
  const restart = start && onceAtATime(async () => (await hasCrashed(discoveryFile)) && !closed && start());
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
    ...omitUndefined({ onOpen }),
    onClose: () => {
      onClose?.();
      if (!closed) restart?.();
    },
  });
  return {
    api: createTRPCClient<AppRouter>({ links: [...commandLinks<AppRouter>(), wsLink({ client: socket })] }),
    socket,
    close: () => {
      closed = true;
      return socket.close();
    },
  };
}

/** A daemon that was stopped removes its file, and stays stopped. One that crashed leaves the file. */
async function hasCrashed(discoveryFile: string): Promise<boolean> {
  const left = await readDiscovery(discoveryFile);
  return left !== undefined && !isProcessAlive(left.pid);
}

/** Skips calls while the work runs, and ignores its failures. */
function onceAtATime(work: () => Promise<unknown>): () => void {
  let running = false;
  return () => {
    if (running) return;
    running = true;
    work()
      .catch(() => undefined)
      .finally(() => (running = false));
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
