import type { Api } from "./link.ts";

/** A content that the daemon keeps, piece by piece; no more pieces are asked for once there are `most` bytes. Throws when it is gone. */
export async function readBlob(api: Api, hash: string, most = Number.POSITIVE_INFINITY): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let size = 0;
  for (let more = true; more && size < most;) {
    const piece = await api.blob.read.query({ hash, start: size });
    const bytes = Buffer.from(piece.base64, "base64");
    pieces.push(bytes);
    size += bytes.length;
    more = piece.more && bytes.length > 0;
  }
  return Buffer.concat(pieces);
}
