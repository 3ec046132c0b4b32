import type { MappedFile } from "./repository-map.ts";

/** A token of a model has about so many characters of code. */
const CHARACTERS_PER_TOKEN = 3.5;

/** The text of a map within so many tokens: the most important files by folder, each with its symbols. Empty if nothing fits. */
export function repositoryMapText(files: readonly MappedFile[], tokens: number): string {
  const most = tokens * CHARACTERS_PER_TOKEN;
  let used = 0;
  const folders = new Map<string, string[]>();
  for (const { path, names } of files) {
    const cut = path.lastIndexOf("/");
    const folder = path.slice(0, cut + 1);
    const line = `  ${path.slice(cut + 1)}: ${names.join(" ")}`;
    const cost = line.length + 1 + (folders.has(folder) ? 0 : folder.length + 1);
    if (used + cost > most) break;
    used += cost;
    const lines = folders.get(folder);
    if (lines) lines.push(line);
    else folders.set(folder, [line]);
  }
  return [...folders]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([folder, lines]) => [folder === "" ? "./" : folder, ...lines.toSorted()])
    .join("\n");
}
