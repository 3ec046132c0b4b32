import type { Mode } from "@baton/core/protocol/mode";
import type { SessionState } from "@baton/core/session/state";
import type { SessionDependencies } from "../session-dependencies.ts";

/**
 * The modes of one session. A mode that a turn has used keeps its last definition until the end of the turn, even if its file
 * is deleted. Modes of a project end at once when its workspace is no longer trusted.
 */
export function pinModes(
  { modes, permissions: { trust } }: Pick<SessionDependencies, "modes" | "permissions">,
  state: () => SessionState,
): SessionDependencies["modes"] {
  const seen = new Map<string, Mode>();
  return (workspace) => {
    const known = modes(workspace);
    return {
      ...known,
      get: (slug) => {
        if (!state().turn || trust(workspace) !== "trusted") seen.clear();
        const mode = known.get(slug) ?? seen.get(slug);
        if (mode) seen.set(slug, mode);
        return mode;
      },
    };
  };
}
