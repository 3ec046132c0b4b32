import type { Mode } from "@baton/core/protocol/mode";
import type { SessionState } from "@baton/core/session/state";
import type { OfferedTools, WithheldTool } from "../../tool/offer-tools.ts";
import type { SessionDependencies } from "../session-dependencies.ts";

/** The tools of a mode in a workspace under the current rules, in a stable order, and those that are withheld. */
export function offeredTools(
  mode: Mode,
  of: Pick<SessionState, "workspace" | "grants" | "ceilings" | "roots" | "toolset">,
  services: Pick<SessionDependencies, "tools" | "permissions">,
  model?: string,
): { offered: OfferedTools[]; withheld: WithheldTool[] } {
  const { workspace, grants, ceilings, roots } = of;
  return services.tools.offer(
    services.tools.of({ ...of, mode: mode.slug, step: undefined }).values(), // not those of the step that is under way
    services.permissions.rules({ workspace, mode, grants, ceilings, roots }),
    services.tools.availability(workspace, mode, model),
  );
}
