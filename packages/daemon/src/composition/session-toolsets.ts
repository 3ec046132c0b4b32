import { catalogueOf } from "../mcp/tools/tool-catalog.ts";
import type { Host } from "../mcp/server-manager.ts";
import { SHARED, type Profiles } from "../mcp/endpoint/endpoint-profiles.ts";
import { isShared } from "../session/servers/configure-toolset.ts";
import type { Toolsets } from "../session/session-dependencies.ts";

/** Toolsets as sessions see them: one library for all of a person's sessions. */
export function toolsetsOf(host: Host, profiles: Profiles): Toolsets {
  return {
    standing: () => profiles.known(SHARED).standing,
    catalogue: (workspace) => catalogueOf(host, workspace),
    ofProfile: async (name, run, dry) => {
      const profile = await profiles.open(name);
      return dry ? run(profile.standing) : profile.change(run);
    },
    change: (run) => profiles.known(SHARED).change(run, isShared),
  };
}
