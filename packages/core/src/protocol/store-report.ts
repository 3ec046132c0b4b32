/** The answers of the program that looks after the store, as it prints them in JSON. Sizes are bytes, times are epoch milliseconds. */

/** Rows of one kind, with the bytes of their texts. `orphans`: how many belong to no session any more. */
export type StoreRows = { kind: string; rows: number; bytes: number; orphans: number };

/** The contents beside the store, such as files before a change. `orphans`: how many no event names any more. */
export type StoreBlobs = { blobs: number; bytes: number; orphans: number; orphanBytes: number };

/** The version of SQLite, and what to know about it. */
export type StoreEngine = { sqlite: string; caution: string | null };

/** The result of a check: `problems` is empty when all is well. */
export type StoreCheck = {
  file: string;
  ok: boolean;
  problems: string[];
  bytes: number;
  events: number;
  sessions: number;
  kinds: StoreRows[];
  blobs: StoreBlobs;
  engine: StoreEngine;
};

export type StoreBackup = { file: string; at: number; bytes: number };

/** The backup in place of the store, and the name of the store before it, with the sessions of each (0 also where those cannot be read). */
export type StoreRestored = { restored: string; sessions: number; kept: string | null; sessionsBefore: number };

/** The bytes of the store before and after, and the contents beside it that were removed. */
export type StoreCompacted = { before: number; after: number; blobs: StoreBlobs };

/** `left`: sessions that this version does not understand, whose derived rows stay as they are. */
export type StoreRebuilt = { sessions: number; events: number; left: { id: string; why: string }[] };
