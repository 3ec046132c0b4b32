import { cpSync } from "node:fs";
import path from "node:path";
import { rolldown, type Plugin } from "rolldown";
import bundles from "../../rolldown.config.ts";

/** Makes the daemon's bundle as it ships but for the minifying, beside the installed packages; gives its main file. */
export async function bundleToMeasure(folder: string): Promise<string> {
  const [main] = bundles;
  if (!main) throw new Error("rolldown.config.ts names no bundle");
  const { output, plugins, ...input } = main;
  const dir = path.join(folder, "node_modules", ".cache", "measured");
  const ours = (plugins as Plugin[]).filter(({ name }) => name !== "copied"); // other tests are running what lies in dist/
  const [as] = [output ?? []].flat();
  const built = await rolldown({ ...input, plugins: ours, cwd: folder });
  await built.write({ ...as, dir, minify: false });
  await built.close();
  for (const beside of ["migrations", "prompts"]) cpSync(path.join(folder, "dist", beside), path.join(dir, beside), { recursive: true });
  return path.join(dir, "main.js");
}
