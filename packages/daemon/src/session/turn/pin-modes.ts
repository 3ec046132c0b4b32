import type { Mode } from "@baton/core/protocol/mode";
import type { SessionState } from "@baton/core/session/state";
import type { SessionDependencies } from "../session-dependencies.ts";

/**
 * The modes of one session: one that a turn has worked in stays as it was last, to the end of the turn, when its
 * definition is gone. What came with a project goes at once when its workspace is not trusted any more.
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
