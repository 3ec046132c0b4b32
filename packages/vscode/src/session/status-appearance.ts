import { ThemeColor, ThemeIcon } from "vscode";
import type { SessionRow } from "@baton/core/session/session-list";

/** The status of a session in words. */
export const STATUS_LABELS: Record<SessionRow["status"], string> = {
  waiting: "needs you",
  working: "working",
  failed: "failed",
  unknown: "outcome unknown",
  idle: "idle",
};

/** The status of a session as an icon. */
export function statusIcon(status: SessionRow["status"]): ThemeIcon {
  switch (status) {
    case "waiting":
      return new ThemeIcon("debug-breakpoint-log", new ThemeColor("baton.needsYou"));
    case "working":
      return new ThemeIcon("loading~spin");
    case "failed":
      return new ThemeIcon("close", new ThemeColor("errorForeground"));
    case "unknown":
      return new ThemeIcon("question");
    case "idle":
      return new ThemeIcon("circle-small");
  }
}
