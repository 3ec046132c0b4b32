import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const runs = (program: string, ...args: string[]): boolean => spawnSync(program, args, { stdio: "ignore" }).status === 0;

/** Whether direnv works here. Installs it if it is missing and root may do that. */
export function hasDirenv(): boolean {
  if (runs("direnv", "version")) return true;
  if (process.getuid?.() !== 0 || process.platform !== "linux") return false;
  spawnSync("apt-get", ["update"], { stdio: "ignore" }); // without it a new machine has no list of packages
  spawnSync("apt-get", ["install", "-o", "DPkg::Lock::Timeout=300", "-y", "--no-install-recommends", "direnv"], { stdio: "ignore" });
  return runs("direnv", "version");
}

/** Whether Python can make virtual environments. */
export const hasVenv = (): boolean => runs("/usr/bin/python3", "-c", "import venv, ensurepip");

const cache = fileURLToPath(new URL("../../node_modules/.cache/mise", import.meta.url));

/** The folder with the program of mise: that of the machine, or the one of the npm registry, which is fetched once. Undefined without both. */
export function miseFolder(): string | undefined {
  const own = (process.env["PATH"] ?? "").split(path.delimiter).find((folder) => existsSync(path.join(folder, "mise")));
  if (own !== undefined) return own;
  if (process.platform !== "linux" || process.arch !== "x64") return undefined;
  const folder = path.join(cache, "node_modules", "@jdxcode", "mise-linux-x64", "bin");
  mkdirSync(cache, { recursive: true });
  if (!existsSync(folder))
    spawnSync("npm", ["install", "--prefix", cache, "--no-audit", "--no-fund", "@jdxcode/mise-linux-x64@2026.9.15"], { stdio: "ignore" });
  return runs(path.join(folder, "mise"), "--version") ? folder : undefined;
}
