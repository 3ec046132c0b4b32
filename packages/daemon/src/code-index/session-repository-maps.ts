type MayShow = (relative: string) => boolean;

/** A session, and how often its conversation was compacted. */
type MappedSession = { id: string; workspace: string; compactions: number };

const MAX_KEPT = 500;

/**
 * Keeps the map of each session, because a map that changes would make every model request more expensive. A new one is made after a
 * compaction, which changes the beginning of the conversation anyway. `query` gives the newest prompt, or undefined before the first one.
 */
export function openSessionRepositoryMaps(make: (workspace: string, query: string, mayShow: MayShow) => Promise<string>) {
  const kept = new Map<string, { compactions: number; text: Promise<string> }>();
  return async (
    { id, workspace, compactions }: MappedSession,
    query: () => Promise<string | undefined>,
    mayShow: MayShow,
  ): Promise<string> => {
    const before = kept.get(id);
    if (before?.compactions === compactions) return before.text;
    const asked = await query();
    if (asked === undefined) return "";
    const text = make(workspace, asked, mayShow);
    kept.delete(id);
    kept.set(id, { compactions, text });
    for (const oldest of [...kept.keys()].slice(0, Math.max(0, kept.size - MAX_KEPT))) kept.delete(oldest);
    return text;
  };
}
