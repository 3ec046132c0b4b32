import type { Readable } from "node:stream";

/** A line without its end, or the start of a line that is longer than `maxBytes`. */
type Line = { text: string } | { tooLong: string };

const SHOWN = 4_096;

/** Reads the lines of a stream. It drops the rest of a line that is too long, and goes on with the next one. */
export async function* readLimitedLines(stream: Readable, maxBytes: number): AsyncGenerator<Line> {
  let parts: Buffer[] = [];
  let size = 0;
  let isTooLong = false;
  const take = (part: Buffer): void => {
    size += part.length;
    if (size > maxBytes) isTooLong = true;
    if (!isTooLong || parts.length === 0) parts.push(isTooLong ? part.subarray(0, SHOWN) : part);
    else parts = [Buffer.concat(parts).subarray(0, SHOWN)];
  };
  const finish = (): Line => {
    const text = Buffer.concat(parts).toString();
    const line: Line = isTooLong ? { tooLong: text.slice(0, SHOWN) } : { text: text.replace(/\r$/, "") };
    parts = [];
    size = 0;
    isTooLong = false;
    return line;
  };
  for await (const chunk of stream) {
    let rest = Buffer.from(chunk as Uint8Array); // a stream without an encoding yields bytes
    for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10)) {
      take(rest.subarray(0, end));
      yield finish();
      rest = rest.subarray(end + 1);
    }
    if (rest.length > 0) take(rest);
  }
  if (size > 0) yield finish();
}
