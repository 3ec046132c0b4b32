import { createHash, randomUUID } from "node:crypto";
import { mkdir, open, rename, rm, type FileHandle } from "node:fs/promises";
import path from "node:path";
import type { StoreBlobs } from "@baton/core/protocol/connection/store-report";
import { sweepBlobs } from "./blob-sweep.ts";

/** Takes bytes as they arrive and stores the first `cap` of them. */
export type BlobWriter = {
  /** False if too many bytes are waiting in memory. Continue after `drained`. */
  write(chunk: Uint8Array): boolean;
  drained(): Promise<void>;
  /** Discards everything that arrives from now on. */
  full(): boolean;
  /** Returns the hash of the blob. Rejects if the disk could not store it. */
  finish(): Promise<string>;
  discard(): Promise<void>;
};

/** Large contents outside the log. Each is a file named by the sha256 of its content. */
export type Blobs = {
  put(content: Uint8Array | AsyncIterable<Uint8Array>): Promise<string>;
  writer(cap: number): BlobWriter;
  /** The bytes from `start` up to but excluding `end`. Undefined if there is no such blob. */
  read(hash: string, range?: { start: number; end: number }): Promise<Uint8Array | undefined>;
};

/** The blobs of a daemon, and the functions that keep them consistent with the log. */
export type BlobStore = Blobs & {
  /** An event with these hashes is in the log. From now on the log decides whether they are needed. */
  committed(hashes: readonly string[]): void;
  /** True if a blob waits for the event that references it. `committed` must then be called. */
  awaitsEvents(): boolean;
  /** Removes every blob that `referenced` does not return. It returns all hashes in the log. */
  sweep(referenced: () => Promise<ReadonlySet<string>>): Promise<StoreBlobs>;
};

const MAX_WAITING = 1024 * 1024;

/** Stores blobs below `folder`, readable by the user only. */
export function openBlobs(folder: string): BlobStore {
  const startedAt = Date.now();
  /** Hashes that were written but that no event references yet. */
  const uncommitted = new Set<string>();
  /** Hashes that were committed during a sweep. */
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

/** `finishing` gets the hash before the file has its final name. */
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

  /** Writes everything that waits, in as few writes as possible. */
  async function writeOut(): Promise<void> {
    const file = await opened;
    while (waiting.length > 0) {
      const batch = Buffer.concat(waiting);
      waiting = [];
      waitingBytes = 0;
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
