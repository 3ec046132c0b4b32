import { buildCatalog } from "../mcp/tools/tool-catalog.ts";
import type { ServerManager } from "../mcp/server-manager.ts";
import { SHARED_PROFILE, type EndpointProfiles } from "../mcp/endpoint/endpoint-profiles.ts";
import { isShared } from "../session/servers/configure-toolset.ts";
import type { SessionToolsets } from "../session/session-dependencies.ts";

/** Toolsets as sessions see them: one library for all of a person's sessions. */
export function sessionToolsets(host: ServerManager, profiles: EndpointProfiles): SessionToolsets {
  return {
    standing: () => profiles.known(SHARED_PROFILE).standing,
    catalogue: (workspace) => buildCatalog(host, workspace),
    ofProfile: async (name, run, dry) => {
      const profile = await profiles.open(name);
      return dry ? run(profile.standing) : profile.change(run);
    },
    change: (run) => profiles.known(SHARED_PROFILE).change(run, isShared),
  };
}
