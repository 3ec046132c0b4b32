import type { AppRouter } from "@baton/daemon/router";
import type { TRPCClient } from "@trpc/client";
import type { ObservableValue } from "./observable.ts";

export type Api = TRPCClient<AppRouter>;

/**
 * The state of the connection. `lost` reconnects automatically unless it has a `problem`; `refused` means that the token is
 * no longer valid.
 */
export type ConnectionState =
  | { kind: "connecting" }
  | { kind: "connected" }
  | { kind: "lost"; since: number; problem?: string }
  | { kind: "refused" };

/** The connection to the daemon: directly, or through an editor that passes messages on. */
export type DaemonConnection = {
  api: Api;
  state: ObservableValue<ConnectionState>;
  /** Finds or starts the daemon, if the page runs in an editor. */
  connect?: () => void;
  close: () => Promise<void>;
};
