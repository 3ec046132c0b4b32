import { readFileSync } from "node:fs";
import path from "node:path";

const root = path.resolve(import.meta.dirname, "../../..");

/** The comment above each line of a source file that `nameOf` recognizes, by the name that it returns. */
export function docComments(file: string, nameOf: (line: string) => string | undefined): Map<string, string> {
  const lines = readFileSync(path.join(root, file), "utf8").split("\n");
  const found = new Map<string, string>();
  for (const [i, line] of lines.entries()) {
    const name = nameOf(line);
    const comment = name === undefined ? undefined : commentEndingAt(lines, i - 1);
    if (name !== undefined && comment !== undefined) found.set(name, comment);
  }
  return found;
}

/** The text of the comment that ends in this line. */
function commentEndingAt(lines: readonly string[], end: number): string | undefined {
  if (!/\*\/\s*$/.test(lines[end] ?? "")) return undefined;
  let start = end;
  while (start > 0 && !lines[start]?.includes("/**")) start--;
  const text = lines.slice(start, end + 1).map((line) => line.replace(/\s*\*\/\s*$/, "").replace(/^\s*(\/\*\*)?\s*\*?\s?/, ""));
  return text.join(" ").trim();
}
