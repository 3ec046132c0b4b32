import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

/** The agents whose edits are compared, with fixed versions. A newer one changes the report, so it is a change of this file. */
const AGENTS = { "opencode-ai": "1.18.33", "@openai/codex": "0.169.0" };

const folder = fileURLToPath(new URL("../../node_modules/.cache/other-agents", import.meta.url));

/** The folder in which these agents are installed. Installs them once. Undefined if the registry cannot be reached. */
export function otherAgents(): string | undefined {
  mkdirSync(folder, { recursive: true });
  if (isInstalled()) return folder;
  writeFileSync(path.join(folder, "package.json"), JSON.stringify({ private: true, dependencies: AGENTS }));
  spawnSync("npm", ["install", "--no-audit", "--no-fund"], { cwd: folder, stdio: "inherit" });
  return isInstalled() ? folder : undefined;
}

const isInstalled = (): boolean =>
  Object.entries(AGENTS).every(([name, version]) => {
    const file = path.join(folder, "node_modules", name, "package.json");
    return existsSync(file) && (JSON.parse(readFileSync(file, "utf8")) as { version: string }).version === version;
  });
