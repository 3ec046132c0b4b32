import type { BlobWriter, Blobs } from "../files/blob.ts";

/** The beginning and the end of a long text. `blob`: the whole text, or its first 50 MB, if something was omitted. */
export type HeadAndTail = { head: string; tail: string; omittedLines: number; omittedBytes: number; blob?: string };

export type HeadTailBuffer = {
  /** False if the disk is too slow. Continue after `drained`. */
  add(text: string): boolean;
  /** Counts output that was skipped without being read. */
  omit(bytes: number, lines: number): void;
  drained(): Promise<void>;
  /** The text so far. */
  ends(): HeadAndTail;
  /** The text, with the whole as a blob if something was omitted. Call it once, at the end. */
  finish(): Promise<HeadAndTail>;
};

const MAX_MEMORY_BYTES = 64 * 1024;
/** The number of bytes on disk. Of a longer text the middle is lost. */
export const MAX_SPILL_BYTES = 50 * 1024 * 1024;
const SMALL = 4 * 1024;

/** Keeps the beginning and the end of a text in memory, and the whole on disk if it is longer. */
export function headTailBuffer(blobs: Blobs): HeadTailBuffer {
  let head = "";
  let isHeadFull = false;
  let tail: string[] = [];
  let tailLength = 0;
  let omittedLines = 0;
  let omittedBytes = 0;
  let spill: BlobWriter | undefined;

  function addToTail(text: string): void {
    const last = tail.at(-1);
    if (last !== undefined && last.length + text.length <= SMALL) tail[tail.length - 1] = last + text;
    else tail.push(text);
    tailLength += text.length;
  }

  function omitOldest(): void {
    let count = 0;
    for (let oldest = tail[0]; oldest !== undefined && tailLength - oldest.length >= MAX_MEMORY_BYTES; oldest = tail[++count]) {
      tailLength -= oldest.length;
      omit(Buffer.byteLength(oldest), lineEnds(oldest));
    }
    if (count > 0) tail = tail.slice(count);
  }

  function omit(bytes: number, lines: number): void {
    omittedBytes += bytes;
    omittedLines += lines;
  }

  function ends(): HeadAndTail {
    const joined = tail.join("");
    if (omittedBytes === 0) return { head, tail: joined, omittedLines: 0, omittedBytes: 0 };
    const start = joined.length > MAX_MEMORY_BYTES ? lineStart(joined, joined.length - MAX_MEMORY_BYTES) : 0;
    const cut = joined.slice(0, start);
    return {
      head,
      tail: joined.slice(start),
      omittedLines: omittedLines + lineEnds(cut),
      omittedBytes: omittedBytes + Buffer.byteLength(cut),
    };
  }

  /** Fills the head, up to a nearby line end, and returns the rest for the tail. */
  function pastHead(text: string): string {
    if (isHeadFull) return text;
    const room = MAX_MEMORY_BYTES - head.length;
    isHeadFull = text.length > room;
    const taken = isHeadFull ? lineEnd(text, room, head.endsWith("\n")) : text.length;
    head += text.slice(0, taken);
    return text.slice(taken);
  }

  return {
    add(text) {
      const rest = pastHead(text);
      if (rest === "") return true;
      if (!spill && tailLength + rest.length > MAX_MEMORY_BYTES) {
        spill = blobs.writer(MAX_SPILL_BYTES);
        spill.write(Buffer.from(head + tail.join("")));
      }
      addToTail(rest);
      if (!spill) return true;
      omitOldest();
      return spill.full() || spill.write(Buffer.from(rest));
    },
    omit,
    drained: async () => spill?.drained(),
    ends,
    async finish() {
      const kept = ends();
      if (kept.omittedBytes === 0) {
        await spill?.discard();
        return kept;
      }
      // With a full disk only the middle of the text is lost, not the result.
      const blob = await spill?.finish().catch(() => undefined);
      return blob === undefined ? kept : { ...kept, blob };
    },
  };
}

/** The last line end at or before `to`, or `to` itself if the line end is far. Never splits a surrogate pair. */
function lineEnd(text: string, to: number, isAtStart: boolean): number {
  const end = to <= 0 ? 0 : text.lastIndexOf("\n", to - 1) + 1;
  if ((end > 0 || isAtStart) && to - end < SMALL) return end;
  return to > 0 && isFirstHalf(text.charCodeAt(to - 1)) ? to - 1 : to;
}

const isFirstHalf = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;

/** The next line start at or after `from`, or `from` itself if the line start is far. */
function lineStart(text: string, from: number): number {
  const end = text.indexOf("\n", from);
  if (end >= 0 && end - from < SMALL) return end + 1;
  return isFirstHalf(text.charCodeAt(from - 1)) ? from + 1 : from;
}

function lineEnds(text: string): number {
  let count = 0;
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) === 10) count++;
  return count;
}
