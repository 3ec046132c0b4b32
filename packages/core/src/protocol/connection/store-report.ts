/** The reports of the store program, as JSON. Sizes are in bytes, times in epoch milliseconds. */

/** The rows of one kind and the bytes of their texts. `orphans`: rows whose session no longer exists. */
export type StoreRows = { kind: string; rows: number; bytes: number; orphans: number };

/** The blobs beside the store, such as files before a change. `orphans`: blobs that no event references. */
export type StoreBlobs = { blobs: number; bytes: number; orphans: number; orphanBytes: number };

/** The version of SQLite, and a known problem of that version. */
export type StoreEngine = { sqlite: string; caution: string | null };

/** The result of a check. `problems` is empty if the store is sound. */
export type StoreCheck = {
  file: string;
  ok: boolean;
  problems: string[];
  /** `missing` includes an index of another version. A broken index is no problem of the store, because Baton builds it again. */
  searchIndex: "sound" | "broken" | "missing";
  bytes: number;
  events: number;
  sessions: number;
  kinds: StoreRows[];
  blobs: StoreBlobs;
  engine: StoreEngine;
};

export type StoreBackup = { file: string; at: number; bytes: number };

/** The restored backup and the file name of the previous store (`kept`), with the sessions of each. 0 if they cannot be read. */
export type StoreRestored = { restored: string; sessions: number; kept: string | null; sessionsBefore: number };

/** The size of the store before and after, and the blobs that were removed. */
export type StoreCompacted = { before: number; after: number; blobs: StoreBlobs };

/** `left`: sessions that this version does not understand. Their derived rows stay unchanged. */
export type StoreRebuilt = { sessions: number; events: number; left: { id: string; why: string }[] };
