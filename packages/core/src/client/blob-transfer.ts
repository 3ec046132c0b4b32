import type { BlobApi } from "./daemon-api.ts";
import { SEND_ONCE, newCommandId } from "./command-client.ts";

/** The number of bytes in one message. Base64 makes four bytes of three, and a message may have one megabyte. */
const CHUNK_BYTES = 384 * 1024;

/** Bytes that can be read piece by piece: a file, or a blob. */
export type ByteSource = { size: number; readBase64: (start: number, end: number) => Promise<string> };

/** Sends bytes to the daemon piece by piece. Returns their hash, by which the daemon keeps them. */
export async function uploadBlob(api: BlobApi, { size, readBase64 }: ByteSource): Promise<string> {
  const upload = newCommandId();
  for (let start = 0; ; start += CHUNK_BYTES) {
    const last = start + CHUNK_BYTES >= size;
    const base64 = await readBase64(start, Math.min(size, start + CHUNK_BYTES));
    const { hash } = await api.blob.add.mutate({ upload, base64, last }, SEND_ONCE);
    if (hash !== undefined) return hash;
    if (last) throw new Error("The daemon did not store the file. Attach it again.");
  }
}

/** Reads a blob of the daemon, piece by piece. It stops after the piece that reaches `maxBytes`. */
export async function readBlob(api: BlobApi, hash: string, maxBytes = Number.POSITIVE_INFINITY): Promise<Uint8Array<ArrayBuffer>[]> {
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  for (let start = 0; start < maxBytes;) {
    const { base64, more } = await api.blob.read.query({ hash, start });
    const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
    pieces.push(bytes);
    start += bytes.length;
    if (!more || bytes.length === 0) break;
  }
  return pieces;
}
