import { readdir } from "node:fs/promises";
import path from "node:path";

/** Where other agents keep theirs: in a project and in the home alike, or in the home only. */
export type LibraryFolders = { project: readonly string[]; home: readonly string[] };

export const skillFolders: LibraryFolders = { project: [".claude/skills", ".agents/skills"], home: [] };

export const commandFolders: LibraryFolders = {
  project: [
    ".roo/commands",
    ".claude/commands",
    ".opencode/commands",
    ".opencode/command",
    ".kilo/commands",
    ".kilo/command",
    ".kilocode/workflows",
    ".clinerules/workflows",
  ],
  home: [".config/opencode/commands", ".config/opencode/command", ".codex/prompts"],
};

const MAX_FILES = 500;

/** Folders in it only put commands in order: the file's name counts, and where several have it, with those of its folders before it. */
export async function findCommandFiles(folder: string): Promise<{ name: string; filePath: string }[]> {
  const all = await readdir(folder, { withFileTypes: true, recursive: true }).catch(() => []); // a folder that is not there holds nothing
  const found = all
    .filter((each) => each.name.endsWith(".md") && !each.isDirectory())
    .map((each) => path.relative(folder, path.join(each.parentPath, each.name)).slice(0, -3).split(path.sep))
    .toSorted((a, b) => a.length - b.length || (a.join("/") < b.join("/") ? -1 : 1))
    .slice(0, MAX_FILES);
  const times = new Map<string, number>();
  for (const names of found) times.set(names.at(-1) ?? "", (times.get(names.at(-1) ?? "") ?? 0) + 1);
  return found.map((names) => ({
    name: times.get(names.at(-1) ?? "") === 1 ? (names.at(-1) ?? "") : names.join(":"),
    filePath: `${path.join(folder, ...names)}.md`,
  }));
}
