import type { CallId, SessionId } from "../protocol/ids.ts";

/**
 * A command that outlives its call, in lists. `unknown`: the daemon stopped while it ran. `exitCode` is null if a signal ended it.
 * Times are epoch milliseconds.
 */
export type BackgroundCommand = {
  sessionId: SessionId;
  id: CallId;
  command: string;
  startedAt: number;
  status: "running" | "exited" | "stopped" | "unknown";
  exitCode?: number | null;
  endedAt?: number;
  /** The command has or had a terminal, whose screen this daemon still knows. */
  terminal?: true;
};

/** How a background command ended, or that it runs: `exit 0`, `stopped`, `outcome unknown`. */
export function backgroundStatusText({ status, exitCode }: Pick<BackgroundCommand, "status" | "exitCode">): string {
  switch (status) {
    case "running":
      return "running";
    case "stopped":
      return "stopped";
    case "unknown":
      return "outcome unknown";
    case "exited":
      return typeof exitCode === "number" ? `exit ${exitCode}` : "ended by a signal";
  }
}
