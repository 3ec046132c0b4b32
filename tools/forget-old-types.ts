// Removes what the compiler once wrote for sources that no longer exist. `tsc -b` does not.
import { existsSync, globSync, readdirSync, rmSync } from "node:fs";
import path from "node:path";

/** Removes the files of missing sources from `output`, a folder to which the compiler writes everything that is in `sources`. */
export function forgetOldTypes(sources: string, output: string): void {
  const isThere = (name: string) => [".ts", ".tsx"].some((ending) => existsSync(path.join(sources, `${name}${ending}`)));
  for (const file of globSync("**/*.d.ts", { cwd: output })) {
    const name = file.replace(/\.d\.ts$/, "");
    if (isThere(name)) continue;
    for (const ending of [".d.ts", ".d.ts.map", ".js", ".js.map"]) rmSync(path.join(output, `${name}${ending}`), { force: true });
  }
}

if (import.meta.main) {
  const packages = path.join(import.meta.dirname, "..", "packages");
  for (const name of readdirSync(packages))
    forgetOldTypes(path.join(packages, name, "src"), path.join(packages, name, "dist", ...(name === "core" ? [] : ["types"])));
}
