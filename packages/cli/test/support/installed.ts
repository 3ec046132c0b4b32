import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { packPackage } from "../../../../tools/release/pack-package.ts";
import { stagePackage } from "../../../../tools/release/stage-package.ts";
import type { Ran } from "./home.ts";

const ROOT = fileURLToPath(new URL("../../../../", import.meta.url));

/** A machine without a checkout: an empty home, an empty npm prefix and a workspace. Everything is gone when the test ends. */
export function openMachine() {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), "baton-installed-")));
  const [home, prefix, workspace] = ["home", "prefix", "work"].map((name) => path.join(folder, name)) as [string, string, string];
  for (const each of [home, prefix, workspace]) mkdirSync(each);
  const { PATH = "" } = process.env;
  const keep = Object.entries(process.env).filter(([name]) =>
    /^(npm_config_|NPM_CONFIG_|NODE_EXTRA_CA_CERTS|HTTPS?_PROXY|NO_PROXY)/i.test(name),
  );
  const env = { ...(Object.fromEntries(keep) as Record<string, string>), PATH, LANG: "C.UTF-8", HOME: home, TZ: "UTC" };
  const run = async (program: string, args: string[]): Promise<Ran> => {
    const child = spawn(program, args, { cwd: workspace, env, stdio: ["ignore", "pipe", "pipe"] });
    const ended = new Promise<number>((done) => child.on("close", (code) => done(code ?? -1)));
    const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
    return { code, out, err };
  };
  const baton = (...args: string[]) => run(path.join(prefix, "bin", "baton"), args);
  return {
    folder,
    home,
    prefix,
    workspace,
    env,
    run,
    baton,
    install: (tarball: string) => run("npm", ["install", "--global", "--prefix", prefix, "--no-audit", "--no-fund", tarball]),
    /** The installed package. */
    package: path.join(prefix, "lib", "node_modules", "@baton", "cli"),
    script(...replies: unknown[]): string {
      const file = path.join(folder, "script.json");
      writeFileSync(file, JSON.stringify({ replies }));
      return `scripted/${file}`;
    },
    async [Symbol.asyncDispose]() {
      if (existsSync(path.join(prefix, "bin", "baton"))) await baton("daemon", "stop");
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Packs this build. With `version`, all of its files name that version. `change` may edit the package before it is packed. */
export function packTarball(to: string, version?: string, change?: (folder: string) => void): string {
  const staged = mkdtempSync(path.join(to, "staged-"));
  const built = stagePackage(ROOT, staged);
  if (version !== undefined) renameVersion(staged, built, version);
  change?.(staged);
  const target = path.join(to, version ?? built);
  mkdirSync(target, { recursive: true });
  return path.join(target, packPackage(staged, target).tarball);
}

function renameVersion(folder: string, from: string, to: string): void {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !/\.js(on)?$/.test(entry.name)) continue;
    const file = path.join(entry.parentPath, entry.name);
    const content = readFileSync(file, "utf8");
    if (content.includes(from))
      writeFileSync(file, content.replaceAll(new RegExp(`(["\`'])${from.replaceAll(".", "\\.")}\\1`, "g"), `$1${to}$1`));
  }
}

/** Every file and folder below a folder, relative to it. */
export const filesBelow = (folder: string): string[] => (existsSync(folder) ? (readdirSync(folder, { recursive: true }) as string[]) : []);
