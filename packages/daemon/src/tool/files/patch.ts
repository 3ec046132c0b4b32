import { defined } from "@baton/core/text/defined";
import { nearestLines } from "./replace-text.ts";

/** One file of a patch. `hunks`: runs of lines that begin with " ", "+" or "-". */
export type FilePatch =
  | { kind: "add"; path: string; text: string }
  | { kind: "delete"; path: string }
  | { kind: "update"; path: string; to?: string; hunks: PatchHunk[] };

/**
 * `anchors`: lines such as the head of a class and then of a method. The hunk is searched after them. `unified`: the anchor comes from a
 * header with line numbers. `atEnd`: the hunk is at the end of the file.
 */
export type PatchHunk = { anchors: string[]; lines: string[]; unified?: true; atEnd?: true };

const FILE = /^\*\*\* (Add|Update|Delete) File: (.+)$/;
const UNIFIED = /^ ?-\d.*?@@/;
const MOVE = /^\*\*\* Move to: (.+)$/;

/** Parses a patch in the format that models are trained on. On failure, `fault` names the problem and the line. */
export function parsePatch(text: string): FilePatch[] | { fault: string } {
  const lines = text.replaceAll("\r\n", "\n").trim().split("\n");
  const start = lines[0]?.trim() === "*** Begin Patch" ? 1 : 0;
  const end = lines.length - 1;
  if (lines[end]?.trim() !== "*** End Patch")
    return start === 0 && !FILE.test((lines[0] ?? "").trim())
      ? { fault: headExpected(1, lines[0]) }
      : { fault: 'The patch does not end with "*** End Patch", so it may be cut off. Send the whole patch again.' };
  const files: FilePatch[] = [];
  for (let at = start; at < end;) {
    const head = FILE.exec((lines[at] ?? "").trim());
    const [, what, path = ""] = head ?? [];
    if (!head) return { fault: headExpected(at + 1, lines[at]) };
    // In an update a header with leading spaces is a context line. Elsewhere it counts as a header.
    const header = (line: string) => FILE.test(what === "Update" ? line : line.trim());
    let next = at + 1;
    while (next < end && !header(lines[next] ?? "")) next++;
    const body = lines.slice(at + 1, next);
    const read =
      what === "Add"
        ? added(path.trim(), body, at + 2)
        : what === "Delete"
          ? { kind: "delete" as const, path: path.trim() }
          : updated(path.trim(), body, at + 2);
    if ("fault" in read) return read;
    files.push(read);
    at = next;
  }
  const twice = files.find(({ path }, i) => files.some((other, j) => j < i && other.path === path));
  if (twice) return { fault: `The patch names ${twice.path} twice. Put all its changes under one header.` };
  return files.length === 0 ? { fault: 'The patch names no file. Begin with "*** Begin Patch" and "*** Update File: …".' } : files;
}

const headExpected = (number: number, line = ""): string =>
  `Line ${number} of the patch must be "*** Add File: …", "*** Update File: …" or "*** Delete File: …", but is: ${line.slice(0, 100)}`;

function added(path: string, body: readonly string[], first: number): FilePatch | { fault: string } {
  const wrong = body.findIndex((line) => !line.startsWith("+") && line !== "");
  if (wrong >= 0) return { fault: `Line ${first + wrong} of the patch: every line of a new file must begin with +.` };
  return { kind: "add", path, text: body.map((line) => `${line.slice(1)}\n`).join("") };
}

function updated(path: string, body: readonly string[], first: number): FilePatch | { fault: string } {
  const to = MOVE.exec(body[0] ?? "")?.[1]?.trim();
  const hunks: PatchHunk[] = [];
  for (const [i, line] of body.entries()) {
    const open = hunks.at(-1);
    if (line === "*** End of File") {
      if (open) open.atEnd = true;
    } else if (line.startsWith("@@")) {
      const rest = line.slice(2);
      const anchor = rest.replace(UNIFIED, "").trim();
      // Consecutive headers belong to one hunk.
      const hunk = open?.lines.length === 0 ? open : { anchors: [], lines: [] };
      if (hunk !== open) hunks.push(hunk);
      if (anchor !== "") hunk.anchors.push(anchor);
      if (UNIFIED.test(rest)) hunk.unified = true;
    } else if (line === "" || /^[ +-]/.test(line)) {
      if (!open) hunks.push({ anchors: [], lines: [] });
      hunks.at(-1)?.lines.push(line === "" ? " " : line);
    } else if (!MOVE.test(line))
      return { fault: `Line ${first + i} of the patch begins with neither a space, +, - nor @@: ${line.slice(0, 100)}` };
  }
  const empty = hunks.find(({ anchors, lines }) => anchors.length > 0 && lines.length === 0);
  if (empty) return { fault: `No lines follow "@@ ${empty.anchors.at(-1) ?? ""}" in the patch of ${path}.` };
  const changing = hunks.filter(({ lines }) => lines.length > 0);
  if (changing.length === 0 && to === undefined) return { fault: `The patch changes nothing in ${path}.` };
  return { kind: "update", path, ...defined({ to }), hunks: changing };
}

/** Applies hunks, each searched after the previous one. On failure, `fault` names the hunk that does not match. */
export function applyHunks(text: string, hunks: readonly PatchHunk[], path: string): { text: string } | { fault: string } {
  const newline = text.includes("\r\n") ? "\r\n" : "\n";
  const lines = text.split(/\r?\n/);
  let from = 0;
  for (const [i, hunk] of hunks.entries()) {
    const change = `Change ${i + 1} of ${hunks.length} does not match ${path}`;
    const old = hunk.lines.filter((line) => !line.startsWith("+")).map((line) => line.slice(1));
    const now = hunk.lines.filter((line) => !line.startsWith("-")).map((line) => line.slice(1));
    const anchor = findAnchor(lines, hunk, from, hunks[i - 1]);
    if (typeof anchor === "object") return { fault: `${change}: ${anchor.fault}` };
    if (anchor !== undefined) from = anchor;
    if (old.length === 0 && hunk.unified && anchor === undefined)
      return { fault: `${change}: it only adds lines, and line numbers alone do not define the place. Add a line of context.` };
    const last = hunk.atEnd ? Math.max(from, endOf(lines) - old.length) : from;
    const insertAt = anchor === undefined || hunk.atEnd ? endOf(lines) : anchor + 1;
    const at = old.length > 0 ? find(lines, old, last) : insertAt;
    if (at < 0) {
      const where = hunk.atEnd ? "the file does not end with these lines" : "the file does not contain these lines in this order";
      return { fault: `${change}: ${where}, exactly as written:\n${old.join("\n").slice(0, 800)}${nearTo(lines, old)}` };
    }
    // A patch cannot say that the last line has no line end, so the last line that it writes gets one.
    if (at + old.length === lines.length && now.at(-1) !== "" && text !== "") now.push("");
    lines.splice(at, old.length, ...now);
    from = at + now.length;
  }
  return { text: lines.join(newline) };
}

/** The line of the last anchor. Each anchor is searched after the previous one. Undefined without anchors, or if the previous change has the same ones. */
function findAnchor(lines: readonly string[], hunk: PatchHunk, from: number, before?: PatchHunk): number | undefined | { fault: string } {
  let at: number | undefined;
  for (const anchor of hunk.anchors) {
    const start = at === undefined ? from : at + 1;
    const found = lines.findIndex((line, i) => i >= start && line.trim() === anchor);
    if (found < 0) {
      const passed = hunk.unified ? lines.slice(0, from).some((line) => line.trim() === anchor) : sameAnchors(hunk, before);
      if (passed && at === undefined) return undefined;
      const far = start > 0 ? ` after line ${start}` : "";
      return {
        fault: `no line${far} is "${anchor.slice(0, 200)}", which follows @@.${nearTo(lines, [anchor])}\nWrite a whole line of the file after @@, or leave @@ empty and add more lines of context.`,
      };
    }
    at = found;
  }
  return at;
}

const sameAnchors = (a: PatchHunk, b: PatchHunk | undefined): boolean => b !== undefined && a.anchors.join("\n") === b.anchors.join("\n");

/** The most similar lines, on a new line. Empty if there are none. */
function nearTo(lines: readonly string[], wanted: readonly string[]): string {
  const near = nearestLines(lines, wanted);
  return near === undefined ? "" : `\nThe nearest match:\n${near}`;
}

const endOf = (lines: readonly string[]): number => (lines.at(-1) === "" ? lines.length - 1 : lines.length);

/** Finds these lines exactly, or otherwise with different spaces at their ends. */
function find(lines: readonly string[], wanted: readonly string[], from: number): number {
  for (const same of [(a: string, b: string) => a === b, (a: string, b: string) => a.trimEnd() === b.trimEnd()])
    for (let at = from; at + wanted.length <= lines.length; at++) if (wanted.every((line, i) => same(lines[at + i] ?? "", line))) return at;
  return -1;
}
