import { ENDPOINT_MODE } from "@baton/core/mode/mcp-endpoint-mode";
import { rulesOfMode } from "@baton/core/mode/mode-rules";
import { fullyDenied } from "@baton/core/permission/judge";
import type { Mode } from "@baton/core/protocol/mode";
import { COORDINATOR_MODE } from "@baton/core/session/leave-coordinator-mode";
import type { ReadContext } from "./mode-read-context.ts";

const SWITCH = "switch_mode";

/**
 * Reports a definition that conflicts with a mode of Baton itself, so that it is ignored. A project must not define the coordinator, no
 * file may define the endpoint, and a coordinator must be able to switch modes.
 */
export function checkReserved(mode: Mode, at: number, reading: ReadContext): void {
  if (mode.slug === ENDPOINT_MODE)
    reading.error(at, "reserved_slug", `Baton uses the slug ${ENDPOINT_MODE} for calls of other agents.`, "Give the mode another slug.");
  if (mode.slug !== COORDINATOR_MODE) return;
  if (reading.scope === "project")
    reading.error(
      at,
      "reserved_slug",
      "A project cannot define the mode coordinator, because it selects the modes of your sessions.",
      "Give the mode another slug, or define it in your own modes.",
    );
  else if (mode.kind === "subagent" || fullyDenied(rulesOfMode(mode), SWITCH, SWITCH))
    reading.error(
      at,
      "cannot_coordinate",
      `This coordinator has no ${SWITCH} or is for subtasks, so it cannot coordinate. The built-in one stays in use.`,
      `Add coordinator to its groups, keep ${SWITCH} in its tools and switch targets, and remove kind: subagent.`,
    );
}
