import { commandLinks } from "@baton/core/client/command-client";
import type { AppRouter } from "@baton/daemon/router";
import { createTRPCClient, createWSClient, wsLink } from "@trpc/client";
import { runDetached } from "@baton/core/client/run-detached";
import type { DaemonConnection, ConnectionState } from "./connection-types.ts";
import { observableValue } from "./observable.ts";

const NOT_AUTHENTICATED = 4401;
const MAX_WAIT_MS = 1_000;

/** A connection over the daemon's own socket. It reconnects automatically, even to a restarted daemon. */
export function openSocketConnection(token: string, host: string): DaemonConnection {
  const state = observableValue<ConnectionState>({ kind: "connecting" });
  const socket = createWSClient({
    url: `ws://${host}/trpc`,
    connectionParams: () => ({ token, client: "page" }),
    retryDelayMs: (attempt) => Math.min(50 * 2 ** attempt, MAX_WAIT_MS),
    keepAlive: { enabled: true, intervalMs: 10_000, pongTimeoutMs: 5_000 },
    onOpen: () => state.set({ kind: "connected" }),
    onClose: (cause) => {
      if (cause?.code === NOT_AUTHENTICATED) {
        state.set({ kind: "refused" });
        runDetached(socket.close(), () => undefined); // it is closed already
        return;
      }
      if (state.get().kind === "connected") state.set({ kind: "lost", since: Date.now() });
    },
    onError: () => {
      if (state.get().kind === "connecting") state.set({ kind: "lost", since: Date.now() });
    },
  });
  return {
    api: createTRPCClient<AppRouter>({ links: [...commandLinks<AppRouter>(), wsLink({ client: socket })] }),
    state,
    close: async () => {
      await socket.close();
    },
  };
}
