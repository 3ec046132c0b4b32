import { cpSync } from "node:fs";
import path from "node:path";
import { rolldown, type BuildOptions, type Plugin } from "rolldown";
import bundles from "../../rolldown.config.ts";

/** Builds the daemon's bundles as they ship, but not minified, beside the installed packages. Returns the path of the main file. */
export async function bundleToMeasure(folder: string): Promise<string> {
  const dir = path.join(folder, "node_modules", ".cache", "measured");
  for (const { output, plugins, ...input } of bundles.filter(isDaemon)) {
    const ours = (plugins as Plugin[]).filter(({ name }) => name !== "copied"); // other tests run the files in dist/
    const [as] = [output ?? []].flat();
    const built = await rolldown({ ...input, plugins: ours, cwd: folder });
    await built.write({ ...as, dir, minify: false });
    await built.close();
  }
  for (const beside of ["migrations", "prompts"]) cpSync(path.join(folder, "dist", beside), path.join(dir, beside), { recursive: true });
  return path.join(dir, "main.js");
}

/** The entry point and the daemon that it starts. The commands of the store and the client have separate bundles. */
const isDaemon = ({ input }: BuildOptions): boolean =>
  ["main", "daemon-process"].some((name) => typeof input === "object" && Object.hasOwn(input, name));
