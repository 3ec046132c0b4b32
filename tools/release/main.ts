// Builds everything that is published, into `release/`. Publishing it is one manual step for each file; `docs/release.md` lists them.
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { writeClientTypes } from "./client-types.ts";
import { fillTemplates } from "./fill-templates.ts";
import { packPackage } from "./pack-package.ts";
import { CLIENT_TYPES, stagePackage } from "./stage-package.ts";

const root = path.resolve(import.meta.dirname, "..", "..");
const release = path.resolve(process.argv[2] ?? path.join(root, "release"));
const problem = problemWith(release);
if (problem !== undefined) {
  console.error(problem);
  process.exit(2);
}

rmSync(release, { recursive: true, force: true });
mkdirSync(release, { recursive: true });

const staged = path.join(release, "package");
const version = stagePackage(root, staged);
await writeClientTypes(root, path.join(staged, CLIENT_TYPES));
const { tarball, files, unpacked } = packPackage(staged, release);
const sha256 = createHash("sha256")
  .update(readFileSync(path.join(release, tarball)))
  .digest("hex");
fillTemplates(path.join(import.meta.dirname, "templates"), release, { version, tarball, sha256 });

const vsix = path.join(root, "packages", "vscode", "dist", "baton.vsix");
cpSync(vsix, path.join(release, `baton-vscode-${version}.vsix`));

const published = readdirSync(release).filter((name) => statSync(path.join(release, name)).isFile());
writeFileSync(
  path.join(release, "SHA256SUMS"),
  published
    .map((name) => {
      const hash = createHash("sha256").update(readFileSync(path.join(release, name)));
      return `${hash.digest("hex")}  ${name}\n`;
    })
    .join(""),
);

const megabytes = (bytes: number): string => `${(bytes / 1_000_000).toFixed(1)} MB`;
console.log(`${tarball}: ${megabytes(statSync(path.join(release, tarball)).size)} packed, ${megabytes(unpacked)} in ${files} files.`);
console.log(`Everything is in ${path.relative(process.cwd(), release) || "."}.`);

/** The reason why a folder cannot be used. Its contents are deleted first, so it must be empty or the result of an earlier release. */
function problemWith(folder: string): string | undefined {
  if (!existsSync(folder)) return undefined;
  const names = statSync(folder).isDirectory() ? readdirSync(folder) : [folder];
  return names.length === 0 || names.includes("SHA256SUMS")
    ? undefined
    : `${folder} has other contents, which a release would delete. Name an empty folder.`;
}
