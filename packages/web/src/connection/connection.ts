import type { AppRouter } from "@baton/daemon/router";
import type { TRPCClient } from "@trpc/client";
import type { ObservableValue } from "./observable.ts";

export type Api = TRPCClient<AppRouter>;

/** How it stands with the daemon. `lost` goes on by itself, unless it has a `problem`; `refused` means that the token is not taken any more. */
export type ConnectionState =
  | { kind: "connecting" }
  | { kind: "connected" }
  | { kind: "lost"; since: number; problem?: string }
  | { kind: "refused" };

/**
 * The way to the daemon. The page knows no more of it than this, so that it may as well lead through an editor that
 * passes messages on.
 */
export type DaemonConnection = {
  api: Api;
  state: ObservableValue<ConnectionState>;
  /** Has the daemon found or started, where the page stands beside somebody who can. */
  connect?: () => void;
  close: () => Promise<void>;
};
