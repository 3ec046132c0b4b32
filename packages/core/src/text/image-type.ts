import type { AttachmentRef } from "../protocol/attachment-ref.ts";

/** The number of bytes that identify a file type. */
const TELLING_BYTES = 12;

/** The type of a file by its first bytes. Providers refuse an image whose content does not match its declared type. */
export function detectImageType(bytes: Uint8Array): AttachmentRef["mediaType"] | undefined {
  const begins = String.fromCharCode(...bytes.subarray(0, TELLING_BYTES));
  if (begins.startsWith("\x89PNG")) return "image/png";
  if (begins.startsWith("\xff\xd8\xff")) return "image/jpeg";
  if (begins.startsWith("GIF8")) return "image/gif";
  if (begins.startsWith("RIFF") && begins.endsWith("WEBP")) return "image/webp";
  return begins.startsWith("%PDF-") ? "application/pdf" : undefined;
}
