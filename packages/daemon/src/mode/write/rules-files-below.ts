import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import type { RulesFile } from "../mode-read-context.ts";

const MAX_FILES = 100;
const MAX_BYTES = 200_000;

/** The text files of the first of these folders that exists, with relative paths. */
export async function ruleFilesBelow(folders: readonly string[]): Promise<RulesFile[]> {
  for (const folder of folders) {
    const found = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => undefined);
    if (!found) continue;
    const files = found.filter((each) => each.isFile()).slice(0, MAX_FILES);
    const read = await Promise.all(
      files.map(async ({ parentPath, name }) => {
        const file = path.join(parentPath, name);
        const content = await readFile(file, "utf8").catch(() => ""); // the file was removed meanwhile
        return { relativePath: path.relative(folder, file).split(path.sep).join("/"), content };
      }),
    );
    return read
      .filter(({ content }) => content !== "" && content.length <= MAX_BYTES)
      .toSorted((a, b) => (a.relativePath < b.relativePath ? -1 : 1));
  }
  return [];
}
