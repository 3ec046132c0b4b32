import { setImmediate } from "node:timers/promises";
import type { Database } from "./database/database.ts";
import type { BlobStore } from "../system/files/blob.ts";
import type { Append, EventLog, StreamEvent } from "./event-log.ts";

/** The names of blobs, which are sha256 hashes. A hash of something else that is taken for one does no harm. */
const HASH = /[0-9a-f]{64}/g;

export const findHashes = (text: string): readonly string[] => text.match(HASH) ?? [];

/** Rows that are read at once, so that nobody waits long for the one thread. */
const PAGE = 200;

/** Every hash that an event of any stream names. Reads the whole log, a page at a time. */
export async function referencedBlobs(database: Pick<Database, "query">, signal?: AbortSignal): Promise<Set<string>> {
  const referenced = new Set<string>();
  for (let [stream, seq] = ["", 0]; ;) {
    signal?.throwIfAborted();
    const rows = await database.query({ sql: PAGE_OF_EVENTS, args: [stream, stream, seq, PAGE] });
    for (const row of rows) for (const hash of findHashes(String(row["data"]))) referenced.add(hash);
    const last = rows.at(-1);
    if (!last || rows.length < PAGE) return referenced;
    [stream, seq] = [String(last["stream_id"]), Number(last["seq"])];
    await setImmediate();
  }
}

const PAGE_OF_EVENTS = `SELECT stream_id, seq, data FROM event WHERE stream_id > ? OR (stream_id = ? AND seq > ?)
  ORDER BY stream_id, seq LIMIT ?`;

/** The same log, which says to the blobs which of them its events name. */
export function blobTrackingLog(log: EventLog, blobs: Pick<BlobStore, "committed" | "awaitsEvents">): EventLog {
  return {
    ...log,
    async append<E extends StreamEvent>(step: Append<E>) {
      const logged = await log.append(step);
      if (blobs.awaitsEvents()) blobs.committed(findHashes(JSON.stringify(step.events)));
      return logged;
    },
  };
}
