import { omitUndefined } from "@baton/core/text/omit-undefined";
import { parseHunks } from "./parse-hunks.ts";
import type { FilePatch } from "./patch-types.ts";

const NOWHERE = "/dev/null";

/** Parses a unified diff, as `diff -u` and git write it. Undefined if the lines are no such diff. */
export function parseUnifiedDiff(lines: readonly string[]): FilePatch[] | undefined {
  const starts = lines.flatMap((_, i) => (isHeader(lines, i) ? [i] : []));
  if (starts.length === 0) return undefined;
  return starts.map((start, i) => {
    const end = starts[i + 1] ?? lines.length;
    const body = withoutGitLines(lines.slice(start + 2, end));
    return filePatch(pathIn(lines[start] ?? ""), pathIn(lines[start + 1] ?? ""), body);
  });
}

/** A removed line may look like a header, so the lines around it count too. */
const isHeader = (lines: readonly string[], i: number): boolean =>
  /^--- \S/.test(lines[i] ?? "") &&
  /^\+\+\+ \S/.test(lines[i + 1] ?? "") &&
  (lines[i + 2]?.startsWith("@@") === true || lines[i + 1]?.startsWith(`+++ ${NOWHERE}`) === true);

const pathIn = (header: string): string =>
  header
    .slice(4)
    .replace(/\t.*$/, "")
    .trim()
    .replace(/^"(.+)"$/, "$1");

function filePatch(old: string, now: string, body: readonly string[]): FilePatch {
  const isGit = (old === NOWHERE || old.startsWith("a/")) && (now === NOWHERE || now.startsWith("b/"));
  const [from, to] = isGit ? [withoutPrefix(old), withoutPrefix(now)] : [old, now];
  if (now === NOWHERE) return { kind: "delete", path: from };
  if (old === NOWHERE) return { kind: "add", path: to, text: addedText(body) };
  return { kind: "update", path: from, ...omitUndefined({ to: from === to ? undefined : to }), hunks: parseHunks(body) };
}

const withoutPrefix = (path: string): string => (path === NOWHERE ? path : path.slice(2));

function addedText(body: readonly string[]): string {
  const text = body.flatMap((line) => (line.startsWith("+") ? [`${line.slice(1)}\n`] : [])).join("");
  return body.some((line) => line.startsWith("\\ No newline")) ? text.slice(0, -1) : text;
}

/** The lines up to the headers that git writes before the next file. */
function withoutGitLines(body: readonly string[]): string[] {
  const next = body.findIndex((line) => line.startsWith("diff --git "));
  const lines = next < 0 ? [...body] : body.slice(0, next);
  while (lines.at(-1) === "") lines.pop();
  return lines;
}
