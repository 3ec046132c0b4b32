import type { SessionEvent } from "@baton/core/protocol/event";
import type { Call } from "@baton/core/session/state";
import type { Keep } from "../port/files.ts";
import type { Loop } from "./loop.ts";

/** Keeps each file of one call before its first change, and says afterwards what became of them. */
export function keptFiles({ id: callId }: Call, session: Loop): { keep: Keep; changed: () => Promise<SessionEvent[]> } {
  const { parts, state } = session;
  const kept = new Set<string>();
  return {
    async keep(path) {
      if (kept.has(path)) return;
      const before = await parts.versions.keep(state.workspace, path);
      if (before === undefined) return;
      kept.add(path);
      const mode = parts.versions.modeOf(state.workspace, path);
      await session.note([{ type: "file.kept", callId, path, before, ...(mode === undefined ? {} : { mode }) }]);
    },
    async changed() {
      const now = await Promise.all(Array.from(kept, async (path) => ({ path, after: await parts.versions.now(state.workspace, path) })));
      return now.flatMap(({ path, after }): SessionEvent[] => (after === undefined ? [] : [{ type: "file.changed", callId, path, after }]));
    },
  };
}

const MOST_NAMED = 50;

/** A command changes files by itself: those that its gate saw it write are kept before it runs. */
export async function keepNamed({ verdict }: Call, keep: Keep): Promise<void> {
  if (!verdict?.accesses.some(({ action }) => action === "command")) return;
  const edits = verdict.accesses.filter(({ action }) => action === "edit").slice(0, MOST_NAMED);
  for (const { resource } of edits) await keep(resource);
}
