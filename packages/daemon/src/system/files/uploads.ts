import { MAX_IMAGE_BYTES } from "@baton/core/protocol/image-limits";
import type { BlobWriter, Blobs } from "./blob.ts";

const ABANDONED_MS = 60_000;

/** Contents that clients send in pieces. An unfinished upload is dropped a minute after its last piece. */
export type Uploads = {
  add: (upload: string, piece: Uint8Array, last: boolean) => Promise<{ hash?: string } | { refused: string }>;
  read: Blobs["read"];
};

export function openUploads(blobs: Blobs): Uploads {
  const open = new Map<string, { writer: BlobWriter; bytes: number; timer: NodeJS.Timeout }>();

  const drop = async (upload: string): Promise<void> => {
    const known = open.get(upload);
    clearTimeout(known?.timer);
    open.delete(upload);
    await known?.writer.discard();
  };

  return {
    async add(upload, piece, last) {
      const known = open.get(upload) ?? { writer: blobs.writer(MAX_IMAGE_BYTES), bytes: 0, timer: setTimeout(() => undefined, 0) };
      clearTimeout(known.timer);
      known.bytes += piece.length;
      open.set(upload, known);
      if (known.bytes > MAX_IMAGE_BYTES) {
        await drop(upload);
        return { refused: "The file is larger than 10 MB. Send a smaller file." };
      }
      if (!known.writer.write(piece)) await known.writer.drained();
      if (!last) {
        known.timer = setTimeout(() => void drop(upload).catch(() => undefined), ABANDONED_MS).unref();
        return {};
      }
      open.delete(upload);
      return { hash: await known.writer.finish() };
    },
    read: (hash, range) => blobs.read(hash, range),
  };
}
