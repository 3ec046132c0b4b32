import { isUtf8 } from "node:buffer";
import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";

/** Larger files are data or machine-made. */
const MAX_SOURCE_BYTES = 1024 * 1024;
/** A file with longer lines on average is minified. */
const MAX_AVERAGE_LINE = 400;
const MIN_MINIFIED_BYTES = 2_000;

/** A file as the index reads it. `text` is empty for a binary, minified or very large file, of which only the path counts. */
type Source = { size: number; modified: number; text: string };

/** Reads a file. Undefined if it is not a regular file that can be read. It never follows a link and never waits for a pipe. */
export function readSourceText(file: string): Source | undefined {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) return undefined;
    const { size } = stats;
    const modified = Math.trunc(stats.mtimeMs);
    if (size > MAX_SOURCE_BYTES) return { size, modified, text: "" };
    const bytes = Buffer.allocUnsafe(size);
    let read = 0;
    for (let got = -1; read < size && got !== 0; read += got) got = readSync(descriptor, bytes, read, size - read, null);
    return { size, modified, text: textOf(bytes.subarray(0, read)) };
  } catch {
    return undefined;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/** The text of a file for people. Broken characters of an old encoding are replaced. */
function textOf(bytes: Buffer): string {
  if (bytes.subarray(0, 8_000).includes(0)) return "";
  const text = bytes.toString(isUtf8(bytes) ? "utf8" : "latin1");
  if (bytes.length < MIN_MINIFIED_BYTES) return text;
  const lines = text.split("\n").length;
  return bytes.length / lines > MAX_AVERAGE_LINE ? "" : text;
}
