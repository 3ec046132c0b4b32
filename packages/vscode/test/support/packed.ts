import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL("../..", import.meta.url));
const require = createRequire(import.meta.url);

/** Not in dist: whether that is current is told by its times. */
const places = fileURLToPath(new URL("../../../../.tools/extension/", import.meta.url));

/** Where what was made of the present build lies. What was made of earlier ones is removed. */
function placeOfBuild(): string {
  const digest = createHash("sha256");
  for (const file of globSync(["dist/**", "media/**", "package.json", "*.md"], { cwd: folder }).toSorted()) {
    if (!file.includes("types/") && statSync(path.join(folder, file)).isFile())
      digest.update(file).update(readFileSync(path.join(folder, file)));
  }
  const place = path.join(places, digest.digest("hex").slice(0, 16));
  if (!existsSync(place)) {
    rmSync(places, { recursive: true, force: true });
    mkdirSync(place, { recursive: true });
  }
  return place;
}

/** The extension as it ships, packed of what was built. */
export function packed(): string {
  const made = path.join(placeOfBuild(), "baton.vsix");
  if (existsSync(made)) return made;
  const vsce = path.join(path.dirname(require.resolve("@vscode/vsce/package.json")), "vsce");
  execFileSync(process.execPath, [vsce, "package", "--no-dependencies", "--allow-missing-repository", "-o", made], {
    cwd: folder,
    stdio: ["ignore", "ignore", "inherit"],
  });
  return made;
}

/** A folder of extensions in which the packed one is installed, by `install` the first time. */
export function extensionsWithOurs(install: (vsix: string, extensions: string) => void): string {
  const extensions = path.join(placeOfBuild(), "extensions");
  const ready = path.join(placeOfBuild(), ".installed");
  if (!existsSync(ready)) {
    rmSync(extensions, { recursive: true, force: true });
    mkdirSync(extensions);
    install(packed(), extensions);
    writeFileSync(ready, "");
  }
  return extensions;
}
