import { setImmediate } from "node:timers/promises";
import type { Database } from "./database/database.ts";
import type { BlobStore } from "../system/files/blob.ts";
import type { EventAppend, EventLog, StreamEvent } from "./event-log.ts";

/** Blobs are named by sha256 hashes. Mistaking another hash for a name does no harm. */
const HASH = /[0-9a-f]{64}/g;

export const findHashes = (text: string): readonly string[] => text.match(HASH) ?? [];

/** The number of rows to read at once. Other work waits meanwhile, because there is one thread. */
const PAGE = 200;

/** Every hash in an event of any stream. Reads the whole log, a page at a time. */
export async function referencedBlobs(database: Pick<Database, "query">): Promise<Set<string>> {
  const referenced = new Set<string>();
  let stream = "";
  let seq = 0;
  for (;;) {
    const rows = await database.query({ sql: PAGE_OF_EVENTS, args: [stream, stream, seq, PAGE] });
    for (const row of rows) for (const hash of findHashes(String(row["data"]))) referenced.add(hash);
    const last = rows.at(-1);
    if (!last || rows.length < PAGE) return referenced;
    stream = String(last["stream_id"]);
    seq = Number(last["seq"]);
    await setImmediate();
  }
}

const PAGE_OF_EVENTS = `SELECT stream_id, seq, data FROM event WHERE stream_id > ? OR (stream_id = ? AND seq > ?)
  ORDER BY stream_id, seq LIMIT ?`;

/** Tells the blob store which blobs the committed events reference. */
export function blobTrackingLog(log: EventLog, blobs: Pick<BlobStore, "committed" | "awaitsEvents">): EventLog {
  return {
    ...log,
    async append<E extends StreamEvent>(step: EventAppend<E>) {
      const logged = await log.append(step);
      if (blobs.awaitsEvents()) blobs.committed(findHashes(JSON.stringify(step.events)));
      return logged;
    },
  };
}
