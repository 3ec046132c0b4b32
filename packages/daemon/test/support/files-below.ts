import { readdirSync } from "node:fs";
import path from "node:path";

/** The regular files below a folder, relative to it. Links are not followed, unlike by `readdirSync` with `recursive`. */
export const filesBelow = (root: string, folder = ""): string[] =>
  readdirSync(path.join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const name = path.join(folder, entry.name);
    if (entry.isDirectory()) return filesBelow(root, name);
    return entry.isFile() ? [name] : [];
  });
