import { oneLine } from "@baton/core/text/sanitize";
import type { Api } from "../../connection/connection.ts";

export type PluginRow = Awaited<ReturnType<Api["plugin"]["list"]["query"]>>[number];

/** Whether a plugin is used in the folder, as a sentence. */
export function useText({ problem, use: { on, by } }: Pick<PluginRow, "problem" | "use">): string {
  if (problem !== null) return oneLine(problem);
  switch (by) {
    case "managed":
      return "The managed config turns it off.";
    case "user":
      return on ? "It is used everywhere." : "Your config turns it off.";
    case "project":
      return on ? "This project asks for it." : "This project turns it off.";
    case "nobody":
      return "It is only used where a project asks for it.";
  }
}
