/** A line that is too long: its beginning, its end, and its number of bytes. */
export type Overlong = { head: string; tail: string; bytes: number };

type LinesOptions = { most: number; onLine: (line: string) => void; onOverlong: (line: Overlong) => void };

const SHOWN = 4 * 1024;
const NEWLINE = 10;

/** Splits bytes into lines. Of a line with more than `most` bytes only the beginning and the end are kept. */
export function lineSplitter({ most, onLine, onOverlong }: LinesOptions): (chunk: Buffer) => void {
  let parts: Buffer[] = [];
  let length = 0;
  let head = "";
  let tail = Buffer.alloc(0);

  function add(part: Buffer): void {
    length += part.length;
    if (length <= most) return void parts.push(part);
    if (parts.length > 0) head = Buffer.concat(parts).subarray(0, SHOWN).toString();
    if (head === "") head = part.subarray(0, SHOWN).toString();
    tail = Buffer.from(Buffer.concat([tail, part.subarray(-SHOWN)]).subarray(-SHOWN));
    parts = [];
    return undefined;
  }

  function end(): void {
    if (length > most) onOverlong({ head, tail: tail.toString(), bytes: length });
    else if (length > 0) onLine(Buffer.concat(parts).toString());
    parts = [];
    length = 0;
    head = "";
    tail = Buffer.alloc(0);
  }

  return (chunk) => {
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, from)) {
      add(chunk.subarray(from, at));
      end();
      from = at + 1;
    }
    if (from < chunk.length) add(chunk.subarray(from));
  };
}
