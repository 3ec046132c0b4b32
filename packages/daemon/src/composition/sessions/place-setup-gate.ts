import { judge } from "@baton/core/permission/judge";
import type { SetupGate } from "../../place/place-context.ts";
import type { SharedDependencies } from "../../session/session-dependencies.ts";
import type { Foundation } from "../foundation/open-foundation.ts";

/** The user approves the setup of places as a whole, so rules that ask have no say. Denies and the gates still apply. */
export function placeSetupApproval(
  { workspaces }: Pick<Foundation, "workspaces">,
  { modes, permissions }: SharedDependencies,
): Pick<SetupGate, "isApproved" | "denial"> {
  return {
    isApproved: workspaces.isSetupApproved,
    denial: (folder, command) => {
      const mode = modes(folder).get("code");
      if (!mode) return "the mode code no longer exists.";
      const gated = permissions.gate({ action: "command", resource: command }, folder);
      if ("refused" in gated) return gated.refused;
      const verdict = judge(permissions.rules({ workspace: folder, mode, grants: [], ceilings: [] }), "run_command", gated);
      return verdict.effect === "deny" ? verdict.why : undefined;
    },
  };
}
