import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { gzipSync } from "node:zlib";

type Manifest = {
  version: string;
  description: string;
  license: string;
  engines: Record<string, string>;
  dependencies: Record<string, string>;
};

/** The packages with native binaries. npm installs the one for the user's platform; everything else is in the bundles. */
const NATIVE = ["libsql", "@lydell/node-pty", "@napi-rs/keyring", "@vscode/ripgrep"];

/** The file with the types of the client library. `writeClientTypes` writes it. */
export const CLIENT_TYPES = "client.d.ts";

const readJson = <T>(file: string): T => JSON.parse(readFileSync(file, "utf8")) as T;

/**
 * Writes the one package that users install to `folder`: terminal client, daemon, client library without its types, page and sample project.
 * Returns its version.
 */
export function stagePackage(root: string, folder: string): string {
  const packages = path.join(root, "packages");
  const cli = readJson<Manifest>(path.join(packages, "cli", "package.json"));
  const daemon = readJson<Manifest>(path.join(packages, "daemon", "package.json"));
  rmSync(folder, { recursive: true, force: true });
  for (const name of ["cli", "daemon"]) copyBundles(path.join(packages, name, "dist"), path.join(folder, name, "dist"));
  cpSync(path.join(packages, "cli", "dist", "docs"), path.join(folder, "cli", "dist", "docs"), { recursive: true });
  for (const part of ["migrations", "prompts", "grammars"])
    cpSync(path.join(packages, "daemon", "dist", part), path.join(folder, "daemon", "dist", part), { recursive: true });
  for (const part of ["index.html", "assets"])
    cpSync(path.join(packages, "web", "dist", part), path.join(folder, "daemon", "dist", "page", part), { recursive: true });
  compressFiles(path.join(folder, "daemon", "dist", "page", "assets"));
  cpSync(path.join(packages, "cli", "sample"), path.join(folder, "cli", "sample"), { recursive: true });
  mkdirSync(path.join(folder, "bin"), { recursive: true });
  cpSync(path.join(root, "tools", "release", "templates", "baton.cjs"), path.join(folder, "bin", "baton.cjs"));
  for (const file of ["README.md", "LICENSE"]) cpSync(path.join(root, file), path.join(folder, file));
  const manifest = {
    name: "@baton/cli",
    version: cli.version,
    description: "AI coding sessions that survive crashes, ask before they act, and continue when you leave.",
    license: cli.license,
    type: "module",
    engines: cli.engines,
    bin: { baton: "bin/baton.cjs" },
    exports: {
      "./client": { types: `./${CLIENT_TYPES}`, default: "./daemon/dist/library.js" },
      "./package.json": "./package.json",
    },
    dependencies: Object.fromEntries(NATIVE.map((name) => [name, versionOf(daemon, name)])),
  };
  writeFileSync(path.join(folder, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
  return cli.version;
}

function versionOf({ dependencies }: Manifest, name: string): string {
  const version = dependencies[name];
  if (version === undefined) throw new Error(`${name} is not a dependency of the daemon. Remove it from the release's native packages.`);
  return version;
}

/** Copies the files of the newest build, without source maps and older chunks. */
function copyBundles(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  for (const list of BUNDLES[path.basename(path.dirname(from))] ?? [])
    for (const file of readJson<string[]>(path.join(from, `${list}.files.json`)))
      if (!file.endsWith(".map")) cpSync(path.join(from, file), path.join(to, file));
}

const BUNDLES: Record<string, string[]> = {
  cli: ["main"],
  daemon: ["main", "daemon-process", "code-index", "terminal-host", "store", "library"],
};

/** The page is a third of the package. The daemon sends its files compressed, and browsers unpack them. */
function compressFiles(folder: string): void {
  for (const name of readdirSync(folder)) {
    const file = path.join(folder, name);
    writeFileSync(`${file}.gz`, gzipSync(readFileSync(file), { level: 9 }));
    rmSync(file);
  }
}
