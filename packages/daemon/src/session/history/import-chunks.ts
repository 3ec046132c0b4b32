import type { LoggedEvent } from "@baton/core/protocol/event";

const ABANDONED_MS = 60_000;

/** A part of an export: the events after the first `from`. `last`: it is the last part. */
export type ImportChunk = { from: number; events: readonly LoggedEvent[]; last: boolean };

type ImportChunks = {
  /** Returns the whole export with its last part. `missing`: an earlier part has not arrived. A repeated part counts once. */
  add: (id: string, piece: ImportChunk) => { whole: readonly LoggedEvent[] } | { kept: number } | { missing: true };
};

/**
 * Collects exports that arrive in parts, because messages are small. An unfinished export is forgotten a minute after its last
 * part.
 */
export function openImportChunks(): ImportChunks {
  const arriving = new Map<string, { events: LoggedEvent[]; timer: NodeJS.Timeout | undefined }>();
  return {
    add(id, { from, events, last }) {
      const partial = arriving.get(id) ?? { events: [], timer: undefined };
      if (from > partial.events.length) return { missing: true };
      clearTimeout(partial.timer);
      partial.events.push(...events.slice(partial.events.length - from));
      arriving.delete(id);
      if (last) return { whole: partial.events };
      partial.timer = setTimeout(() => arriving.delete(id), ABANDONED_MS).unref();
      arriving.set(id, partial);
      return { kept: partial.events.length };
    },
  };
}
