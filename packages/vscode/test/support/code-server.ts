import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const VERSION = "4.139.1";

/** Outside of the workspace's own packages, because it is large and contains a lock file that npm rewrites. */
const folder = fileURLToPath(new URL(`../../../../.tools/code-server-${VERSION}/`, import.meta.url));
const root = path.join(folder, "node_modules", "code-server");

/**
 * The program of a real editor on this machine. The first time, it is fetched from the npm registry, without running any of its scripts.
 */
export function codeServerProgram(): string {
  const ready = path.join(folder, ".ready");
  if (!existsSync(ready)) {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, "package.json"), '{"private":true}\n');
    install(folder, `code-server@${VERSION}`);
    install(path.join(root, "lib", "vscode"));
    // Its language server is a separate package that is not fetched. Without this setting, the editor would show an error in each window.
    rmSync(path.join(root, "lib", "vscode", "extensions", "typescript-language-features"), { recursive: true });
    writeFileSync(ready, "");
  }
  return path.join(root, "out", "node", "entry.js");
}

const checkout = fileURLToPath(new URL("../../../..", import.meta.url));

/** With the machine's own npm and Node. With Baton's Node, npm would not find the machine's settings, such as its certificates. */
function install(cwd: string, ...what: string[]): void {
  const folders = (process.env["PATH"] ?? "").split(path.delimiter).filter((each) => !each.startsWith(checkout));
  // The settings of the caller's npm and pnpm must not apply, because they would change the place of installation.
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([key]) => !/^(npm_(config_(?!registry)|package|lifecycle)|INIT_CWD)/i.test(key)),
  );
  const options = ["--ignore-scripts", "--omit=dev", "--no-audit", "--no-fund", "--loglevel=error"];
  execFileSync("npm", ["install", ...options, ...what], {
    cwd,
    env: { ...env, PATH: folders.join(path.delimiter) },
    stdio: ["ignore", "ignore", "inherit"],
  });
}
