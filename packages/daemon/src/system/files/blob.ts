import { createHash, randomUUID } from "node:crypto";
import { mkdir, open, rename, rm, type FileHandle } from "node:fs/promises";
import path from "node:path";
import type { StoreBlobs } from "@baton/core/protocol/store-report";
import { sweepBlobs } from "./blob-sweep.ts";

/** Takes bytes as they come and keeps the first `cap` of them. */
export type BlobWriter = {
  /** False: more than is good for memory is waiting; go on after `drained`. */
  write(chunk: Uint8Array): boolean;
  drained(): Promise<void>;
  /** Nothing more will be kept. */
  full(): boolean;
  /** The hash under which it can be read from now on. Rejects when the disk could not take it. */
  finish(): Promise<string>;
  discard(): Promise<void>;
};

/** Large contents outside the log, each a file that is named by the sha256 of what is in it. */
export type Blobs = {
  put(content: Uint8Array | AsyncIterable<Uint8Array>): Promise<string>;
  writer(cap: number): BlobWriter;
  /** The bytes from `start` up to, not including, `end`; undefined where there is no such blob. */
  read(hash: string, range?: { start: number; end: number }): Promise<Uint8Array | undefined>;
};

/** The blobs of a daemon, and what keeps them in step with the log. */
export type BlobStore = Blobs & {
  /** An event that names these hashes is in the log: from now on the log says whether they are needed. */
  committed(hashes: readonly string[]): void;
  /** Whether a blob waits for the event that names it, so that `committed` has to be called. */
  awaitsEvents(): boolean;
  /** Removes every blob that `referenced` does not name. It gives all hashes that the log names. */
  sweep(referenced: () => Promise<ReadonlySet<string>>): Promise<StoreBlobs>;
};

const MAX_WAITING = 1024 * 1024;

/** Keeps blobs below `folder`, readable by the user only. */
export function openBlobs(folder: string): BlobStore {
  const startedAt = Date.now();
  /** Hashes that were written and that no event names yet. */
  const uncommitted = new Set<string>();
  /** Hashes that were committed while a sweep reads the log. */
  const meanwhile = new Set<string>();
  let sweeps = 0;
  const openWriter = (cap: number) => writerIn(folder, cap, (hash) => uncommitted.add(hash));
  return {
    committed(hashes) {
      for (const hash of hashes) {
        uncommitted.delete(hash);
        if (sweeps > 0) meanwhile.add(hash);
      }
    },
    awaitsEvents: () => uncommitted.size > 0 || sweeps > 0,
    async sweep(referenced) {
      sweeps++;
      try {
        const known = await referenced();
        const isNeeded = (hash: string) => known.has(hash) || meanwhile.has(hash) || uncommitted.has(hash);
        return sweepBlobs(folder, { isNeeded, startedAt, remove: true });
      } finally {
        if (--sweeps === 0) meanwhile.clear();
      }
    },
    async put(content) {
      const writer = openWriter(Number.POSITIVE_INFINITY);
      const chunks = content instanceof Uint8Array ? [content] : content;
      try {
        for await (const chunk of chunks) if (!writer.write(chunk)) await writer.drained();
      } catch (error) {
        await writer.discard();
        throw error;
      }
      return writer.finish();
    },
    writer: openWriter,
    async read(hash, range) {
      const place = placeOf(folder, hash);
      const file = place === undefined ? undefined : await openIfThere(place);
      if (!file) return undefined;
      try {
        return range ? await readRange(file, range) : await file.readFile();
      } finally {
        await file.close();
      }
    },
  };
}

/** `finishing` gets the hash before the file has its name. */
function writerIn(folder: string, cap: number, finishing: (hash: string) => void): BlobWriter {
  const beside = path.join(folder, `${randomUUID()}.tmp`);
  const hash = createHash("sha256");
  let waiting: Uint8Array[] = [];
  let waitingBytes = 0;
  let kept = 0;
  let broken: { cause: unknown } | undefined;
  let writing: Promise<void> | undefined;
  const opening = mkdir(folder, { recursive: true, mode: 0o700 }).then(() => open(beside, "wx", 0o600));
  const opened = opening.catch((cause: unknown) => void (broken ??= { cause }));

  /** Writes all that waits, in as few pieces as the disk's pace allows. */
  async function writeOut(): Promise<void> {
    const file = await opened;
    while (waiting.length > 0) {
      const batch = Buffer.concat(waiting);
      [waiting, waitingBytes] = [[], 0];
      if (!broken) await file?.appendFile(batch).catch((cause: unknown) => void (broken ??= { cause }));
    }
    writing = undefined;
  }

  async function close(isKept: boolean): Promise<boolean> {
    await writing;
    const file = await opened;
    if (isKept && !broken) await file?.sync();
    await file?.close();
    if (isKept && !broken) return true;
    if (file) await rm(beside, { force: true });
    return false;
  }

  return {
    write(chunk) {
      const taken = chunk.subarray(0, cap - kept);
      if (taken.length === 0 || broken) return true;
      kept += taken.length;
      waitingBytes += taken.length;
      hash.update(taken);
      waiting.push(taken);
      writing ??= writeOut();
      return waitingBytes < MAX_WAITING;
    },
    drained: async () => writing,
    full: () => kept >= cap || broken !== undefined,
    async finish() {
      if (!(await close(true))) throw new Error("the blob could not be written", broken);
      const name = hash.digest("hex");
      const place = path.join(folder, name.slice(0, 2), name);
      finishing(name);
      await mkdir(path.dirname(place), { recursive: true, mode: 0o700 });
      await rename(beside, place);
      return name;
    },
    discard: async () => void (await close(false)),
  };
}

const placeOf = (folder: string, hash: string): string | undefined =>
  /^[0-9a-f]{64}$/.test(hash) ? path.join(folder, hash.slice(0, 2), hash) : undefined;

async function openIfThere(place: string): Promise<FileHandle | undefined> {
  try {
    return await open(place, "r");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}

async function readRange(file: FileHandle, { start, end }: { start: number; end: number }): Promise<Uint8Array> {
  const buffer = Buffer.alloc(Math.max(0, Math.min(end, (await file.stat()).size) - start));
  const { bytesRead } = await file.read(buffer, 0, buffer.length, start);
  return buffer.subarray(0, bytesRead);
}
