import type { SessionEvent } from "@baton/core/protocol/event";
import type { Call } from "@baton/core/session/state";
import type { Keep } from "../../system/files/files.ts";
import type { EffectContext } from "../effect-context.ts";

/** Keeps each file of one call before its first change, and says afterwards what became of them. */
export function snapshotFiles(
  { id: callId }: Call,
  session: EffectContext,
): {
  keep: Keep;
  /** All of them in one step of the log. */
  keepAll: (paths: readonly string[]) => Promise<void>;
  changed: () => Promise<SessionEvent[]>;
} {
  const { services, state } = session;
  const kept = new Set<string>();
  const asItIs = async (path: string): Promise<SessionEvent[]> => {
    if (kept.has(path)) return [];
    const before = await services.snapshots.keep(state.workspace, path);
    if (before === undefined) return [];
    kept.add(path);
    const mode = services.snapshots.modeOf(state.workspace, path);
    return [{ type: "file.kept", callId, path, before, ...(mode === undefined ? {} : { mode }) }];
  };
  const keepAll = async (paths: readonly string[]) => {
    const events: SessionEvent[] = [];
    for (const path of paths) events.push(...(await asItIs(path)));
    if (events.length > 0) await session.note(events);
  };
  return {
    keep: (path) => keepAll([path]),
    keepAll,
    async changed() {
      const now = await Promise.all(
        Array.from(kept, async (path) => ({ path, after: await services.snapshots.now(state.workspace, path) })),
      );
      return now.flatMap(({ path, after }): SessionEvent[] => (after === undefined ? [] : [{ type: "file.changed", callId, path, after }]));
    },
  };
}

const MAX_NAMED = 50;

/**
 * A command changes files by itself: those that its gate saw it write are kept before it runs, of folders what lies in them,
 * and that a folder was not there, as it may make one.
 */
export async function filesNamedBy({ verdict }: Call, { state, services }: EffectContext): Promise<string[]> {
  if (!verdict?.accesses.some(({ action }) => action === "command")) return [];
  const edits = verdict.accesses.filter(({ action }) => action === "edit").slice(0, MAX_NAMED);
  const below = await Promise.all(edits.map(({ resource }) => services.snapshots.filesIn(state.workspace, resource)));
  const above = edits.flatMap(({ resource }) => services.snapshots.missingAbove(state.workspace, resource));
  return [...above, ...edits.map(({ resource }) => resource), ...below.flat()];
}
