import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL("../..", import.meta.url));
const require = createRequire(import.meta.url);

/** Not in dist, because the times of the files there show whether dist is current. */
const places = fileURLToPath(new URL("../../../../.tools/extension/", import.meta.url));

/** The folder for files made from the present build. Files of earlier builds are removed. */
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

/** The extension as it ships, packed from the build. */
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

/** A folder of extensions that contains the packed one. The first time, `install` installs it. */
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
