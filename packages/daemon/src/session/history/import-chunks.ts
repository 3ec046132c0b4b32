import type { Logged } from "@baton/core/protocol/event";

const ABANDONED_MS = 60_000;

/** A part of an export: the events after the first `from`; `last` says that these are all. */
export type ImportChunk = { from: number; events: readonly Logged[]; last: boolean };

export type ImportChunks = {
  /** Gives what is there: all of it with the last piece. `missing`: a piece before this one has not come. A piece that comes again counts once. */
  add: (id: string, piece: ImportChunk) => { whole: readonly Logged[] } | { kept: number } | { missing: true };
};

/** Exports that come in pieces, since a message is small. What is not finished within a minute of its last piece is forgotten. */
export function openImportChunks(): ImportChunks {
  const arriving = new Map<string, { events: Logged[]; timer: NodeJS.Timeout | undefined }>();
  return {
    add(id, { from, events, last }) {
      const known = arriving.get(id) ?? { events: [], timer: undefined };
      if (from > known.events.length) return { missing: true };
      clearTimeout(known.timer);
      known.events.push(...events.slice(known.events.length - from));
      arriving.delete(id);
      if (last) return { whole: known.events };
      known.timer = setTimeout(() => arriving.delete(id), ABANDONED_MS).unref();
      arriving.set(id, known);
      return { kept: known.events.length };
    },
  };
}
