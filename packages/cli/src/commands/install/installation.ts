import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

/**
 * Where this Baton comes from. `root`: the folder of the package or of the checkout.
 * - `npm`: a global installation by npm; `prefix` is npm's.
 * - `checkout`: a clone of the repository.
 * - `other`: an installation that another program manages, such as `npx`, pnpm or Homebrew.
 */
export type Installation = { kind: "npm"; root: string; prefix: string } | { kind: "checkout" | "other"; root: string };

export const PACKAGE = "@baton/cli";

/** The installation that this program runs from. */
export const currentInstallation = (): Installation => installationAt(fileURLToPath(new URL("../../", import.meta.url)));

/** Classifies the installation whose package is in `folder`. */
function installationAt(folder: string): Installation {
  const root = path.resolve(folder);
  if (packageName(root) !== PACKAGE || !existsSync(path.join(root, "bin", "baton.cjs")))
    return { kind: "checkout", root: path.resolve(root, "..") };
  const modules = path.dirname(path.dirname(root));
  const isModules = path.basename(modules) === "node_modules";
  const parent = path.dirname(modules);
  const prefix = path.basename(parent) === "lib" ? path.dirname(parent) : parent;
  const isManaged = /[\\/](_npx|\.pnpm|pnpm|Cellar|homebrew|\.yarn|\.bun)[\\/]/i.test(root);
  return isModules && !isManaged && !existsSync(path.join(parent, "package.json"))
    ? { kind: "npm", root, prefix }
    : { kind: "other", root };
}

function packageName(root: string): string | undefined {
  try {
    return (JSON.parse(readFileSync(path.join(root, "package.json"), "utf8")) as { name?: string }).name;
  } catch {
    return undefined; // the folder has no readable manifest
  }
}
