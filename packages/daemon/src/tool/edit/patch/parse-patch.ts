import { omitUndefined } from "@baton/core/text/omit-undefined";
import { fileHeader, moveTarget, type FileHeader } from "./patch-markers.ts";
import { parseHunks } from "./parse-hunks.ts";
import type { FilePatch, PatchHunk } from "./patch-types.ts";
import { parseUnifiedDiff } from "./unified-diff.ts";
import { unwrapPatch } from "./unwrap-patch.ts";

/** Parses a patch in the format that models are trained on, or a unified diff. On failure, `fault` names the problem and the line. */
export function parsePatch(text: string): FilePatch[] | { fault: string } {
  const { lines, first, ended } = unwrapPatch(text);
  const files = lines.some((line) => fileHeader(line)) ? parseFiles(lines, first) : (parseUnifiedDiff(lines) ?? parseFiles(lines, first));
  if ("fault" in files) return files;
  if (!ended && lines.at(-1)?.startsWith("-") && lines.some((line) => fileHeader(line)))
    return { fault: 'The patch ends with a removed line and without "*** End Patch", so it may be cut off. Send the whole patch again.' };
  return mergeUpdates(files);
}

function parseFiles(lines: readonly string[], first: number): FilePatch[] | { fault: string } {
  const files: FilePatch[] = [];
  for (let at = 0; at < lines.length;) {
    const header = fileHeader(lines[at] ?? "");
    if (!header) {
      if (lines[at]?.trim() === "") {
        at++;
        continue;
      }
      return { fault: headerExpected(first + at, lines[at]) };
    }
    let next = at + 1;
    while (next < lines.length && !startsFile(lines, next, header)) next++;
    const body = lines.slice(at + 1, next);
    const file = parseFile(header, body, first + at + 1);
    if ("fault" in file) return file;
    files.push(file);
    at = next;
  }
  return files.length === 0 ? { fault: 'The patch names no file. Begin with "*** Begin Patch" and "*** Update File: …".' } : files;
}

const headerExpected = (number: number, line = ""): string =>
  `Line ${number} of the patch must be "*** Add File: …", "*** Update File: …" or "*** Delete File: …", but is: ${line.slice(0, 100)}`;

/**
 * In an update, a header with one space before it is a context line. One with more blanks counts as a header if a hunk or a header follows.
 */
function startsFile(lines: readonly string[], at: number, current: FileHeader): boolean {
  const line = lines[at] ?? "";
  if (fileHeader(line) === undefined) return false;
  if (current.kind !== "update" || line.startsWith("*")) return true;
  const next = lines[at + 1];
  return !/^ \S/.test(line) && (next === undefined || next.startsWith("@@") || fileHeader(next) !== undefined);
}

function parseFile({ kind, path }: FileHeader, body: readonly string[], first: number): FilePatch | { fault: string } {
  if (kind === "delete") return { kind, path };
  return kind === "add" ? parseAddition(path, body, first) : parseUpdate(path, body);
}

/** Every line of a new file begins with `+`. If no line does, the lines are the text as it is. */
function parseAddition(path: string, body: readonly string[], first: number): FilePatch | { fault: string } {
  const start = body[0]?.startsWith("@@") ? 1 : 0;
  const lines = body.slice(start);
  while (lines.at(-1) === "") lines.pop();
  const isMarked = lines.some((line) => line.startsWith("+"));
  const wrong = isMarked ? lines.findIndex((line) => !line.startsWith("+") && line !== "") : -1;
  if (wrong >= 0) return { fault: `Line ${first + start + wrong} of the patch: every line of a new file must begin with +.` };
  return { kind: "add", path, text: lines.map((line) => `${isMarked ? line.slice(1) : line}\n`).join("") };
}

function parseUpdate(path: string, body: readonly string[]): FilePatch | { fault: string } {
  const to = moveTarget(body[0] ?? "");
  const hunks = parseHunks(withoutUnifiedHeader(to === undefined ? body : body.slice(1)));
  const hasLines = ({ changes }: PatchHunk) => changes.some(({ text, bare }) => text !== "" || !bare);
  const empty = hunks.find((hunk) => hunk.anchors.length > 0 && !hasLines(hunk));
  if (empty) return { fault: `No lines follow "@@ ${empty.anchors.at(-1) ?? ""}" in the patch of ${path}.` };
  const changing = hunks.filter(hasLines);
  if (changing.length === 0 && to === undefined) return { fault: `The patch changes nothing in ${path}.` };
  return { kind: "update", path, ...omitUndefined({ to }), hunks: changing };
}

/** Drops `--- a/path` and `+++ b/path` below a header that already names the file. */
const withoutUnifiedHeader = (body: readonly string[]): readonly string[] =>
  /^--- \S/.test(body[0] ?? "") && /^\+\+\+ \S/.test(body[1] ?? "") ? body.slice(2) : body;

/** Joins the hunks of updates that name the same file. */
function mergeUpdates(files: readonly FilePatch[]): FilePatch[] | { fault: string } {
  const merged: FilePatch[] = [];
  for (const file of files) {
    const earlier = merged.findIndex(({ path }) => path === file.path);
    const before = merged[earlier];
    if (!before) {
      merged.push(file);
      continue;
    }
    if (before.kind !== "update" || file.kind !== "update" || before.to !== undefined || file.to !== undefined)
      return { fault: `The patch names ${file.path} twice. Put all its changes under one header.` };
    merged[earlier] = { ...before, hunks: [...before.hunks, ...file.hunks] };
  }
  return merged;
}
