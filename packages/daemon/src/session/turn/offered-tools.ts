import type { Mode } from "@baton/core/protocol/mode";
import type { SessionState } from "@baton/core/session/state";
import type { Offered, Withheld } from "../../tool/offer-tools.ts";
import type { Parts } from "../session-dependencies.ts";

/** The tools of a mode in a workspace under the rules of now, in a stable order, and those that are withheld. */
export function offeredIn(
  mode: Mode,
  of: Pick<SessionState, "workspace" | "grants" | "ceilings" | "toolset">,
  parts: Pick<Parts, "tools" | "rules" | "situation" | "offer">,
  model?: string,
): { offered: Offered[]; withheld: Withheld[] } {
  const { workspace, grants, ceilings } = of;
  return parts.offer(
    parts.tools({ ...of, mode: mode.slug, step: undefined }).values(), // not those of the step that is under way
    parts.rules({ workspace, mode, grants, ceilings }),
    parts.situation(workspace, mode, model),
  );
}
