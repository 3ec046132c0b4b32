import { buildCatalog } from "../../mcp/tools/tool-catalog.ts";
import type { ServerManager } from "../../mcp/server-manager.ts";
import { SHARED_PROFILE, type EndpointProfiles } from "../../mcp/endpoint/endpoint-profiles.ts";
import { isSharedToolsetEvent } from "../../session/servers/change-session-toolset.ts";
import type { SessionToolsets, SessionTools } from "../../session/session-dependencies.ts";
import type { Toolset } from "@baton/core/protocol/toolset/toolset-profile";
import { toolsetOf } from "@baton/core/toolset/toolset-selection-state";
import type { LoadedConfig } from "../../config/load-config.ts";

/** The toolsets as sessions see them: one library for all sessions of the user. */
export function sessionToolsets(host: ServerManager, profiles: EndpointProfiles): SessionToolsets {
  return {
    state: () => profiles.known(SHARED_PROFILE).state,
    catalog: (workspace) => buildCatalog(host, workspace),
    ofProfile: async (name, run, dry) => {
      const profile = await profiles.open(name);
      return dry ? run(profile.state) : profile.change(run);
    },
    change: (run) => profiles.known(SHARED_PROFILE).change(run, isSharedToolsetEvent),
  };
}

/**
 * The toolset of a session: its own, otherwise that of its mode. Undefined: all tools. Null: none, which also applies if the
 * mode's toolset is missing, because the user meant fewer tools by it, not more.
 */
export function effectiveToolset(
  settings: () => LoadedConfig["config"],
  profiles: EndpointProfiles,
): (of: SessionTools) => Toolset | null | undefined {
  return ({ toolset, mode, step }) => {
    if (toolset?.equipped !== undefined) return toolset.equipped;
    const name = settings().modes?.[step?.mode ?? mode ?? ""]?.toolset;
    return name === undefined ? undefined : (toolsetOf(profiles.known(SHARED_PROFILE).state, name) ?? null);
  };
}
