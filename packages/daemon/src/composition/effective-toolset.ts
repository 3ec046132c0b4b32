import type { Toolset } from "@baton/core/protocol/toolset";
import { toolsetOf } from "@baton/core/toolset/toolset-state";
import type { Loaded } from "../config/load-config.ts";
import { SHARED, type Profiles } from "../mcp/endpoint/endpoint-profiles.ts";
import type { ToolsOf } from "../session/session-dependencies.ts";

/**
 * The toolset that a session has: the one that it was given, or else that of its mode. Undefined: all tools; null: none, which
 * is also so where the mode's toolset is not there, as a person meant fewer tools by it, not more.
 */
export function equippedBy(settings: () => Loaded["config"], profiles: Profiles): (of: ToolsOf) => Toolset | null | undefined {
  return ({ toolset, mode, step }) => {
    if (toolset?.equipped !== undefined) return toolset.equipped;
    const name = settings().modes?.[step?.mode ?? mode ?? ""]?.toolset;
    return name === undefined ? undefined : (toolsetOf(profiles.known(SHARED).standing, name) ?? null);
  };
}
