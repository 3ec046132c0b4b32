import type { KeptImage } from "../protocol/image.ts";

/** How many bytes it takes to know. */
export const TELLING_BYTES = 12;

/** What a file is by how it begins, whatever its name says: providers refuse a picture that is not what it is said to be. */
export function detectImageType(bytes: Uint8Array): KeptImage["mediaType"] | undefined {
  const begins = String.fromCharCode(...bytes.subarray(0, TELLING_BYTES));
  if (begins.startsWith("\x89PNG")) return "image/png";
  if (begins.startsWith("\xff\xd8\xff")) return "image/jpeg";
  if (begins.startsWith("GIF8")) return "image/gif";
  if (begins.startsWith("RIFF") && begins.endsWith("WEBP")) return "image/webp";
  return begins.startsWith("%PDF-") ? "application/pdf" : undefined;
}
