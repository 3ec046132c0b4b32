import { oneLine } from "@baton/core/text/sanitize";
import type { Api } from "../../connection/connection-types.ts";

export type PluginRow = Awaited<ReturnType<Api["plugin"]["list"]["query"]>>[number];

/** Whether a plugin is used in the folder, as a sentence. */
export function pluginEnablementText({ problem, use: { on, by, modes } }: Pick<PluginRow, "problem" | "use">): string {
  if (problem !== null) return oneLine(problem);
  const where = modes ? `, only in ${modes.length === 1 ? "the mode" : "the modes"} ${modes.join(", ")}` : "";
  switch (by) {
    case "managed":
      return "The managed config turns it off.";
    case "user":
      return on ? `It is used everywhere${where}.` : "Your config turns it off.";
    case "project":
      return on ? `This project asks for it${where}.` : "This project turns it off.";
    case "nobody":
      return "It is only used where a project asks for it.";
  }
}
