import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";

/** Identifies one build of a program. Undefined if the program does not run from its bundle. */
export function buildId(program: string): string | undefined {
  try {
    const folder = path.dirname(program);
    const files = readdirSync(folder).filter((name) => name.endsWith(".js"));
    const digest = createHash("sha256").update(readFileSync(program)); // it contains the names of its chunks, which change with their contents
    for (const name of files.toSorted()) digest.update(`${name} ${statSync(path.join(folder, name)).size}\n`);
    return digest.digest("hex").slice(0, 16);
  } catch {
    return undefined;
  }
}
