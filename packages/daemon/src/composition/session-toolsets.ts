import { buildCatalog } from "../mcp/tools/tool-catalog.ts";
import type { ServerManager } from "../mcp/server-manager.ts";
import { SHARED_PROFILE, type EndpointProfiles } from "../mcp/endpoint/endpoint-profiles.ts";
import { isShared } from "../session/servers/configure-toolset.ts";
import type { SessionToolsets, SessionTools } from "../session/session-dependencies.ts";
import type { Toolset } from "@baton/core/protocol/toolset";
import { toolsetOf } from "@baton/core/toolset/toolset-state";
import type { LoadedConfig } from "../config/load-config.ts";

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

/**
 * The toolset that a session has: the one that it was given, or else that of its mode. Undefined: all tools; null: none, which
 * is also so where the mode's toolset is not there, as a person meant fewer tools by it, not more.
 */
export function effectiveToolset(
  settings: () => LoadedConfig["config"],
  profiles: EndpointProfiles,
): (of: SessionTools) => Toolset | null | undefined {
  return ({ toolset, mode, step }) => {
    if (toolset?.equipped !== undefined) return toolset.equipped;
    const name = settings().modes?.[step?.mode ?? mode ?? ""]?.toolset;
    return name === undefined ? undefined : (toolsetOf(profiles.known(SHARED_PROFILE).standing, name) ?? null);
  };
}
