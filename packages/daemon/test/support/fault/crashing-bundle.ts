import path from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "rolldown";
import { nodeBundle } from "../../../../../tools/bundle.ts";

const daemon = fileURLToPath(new URL("../../..", import.meta.url));

/**
 * Bundles the daemon that kills itself at a commit like the real one, and returns its path. From its sources it would start ten times
 * slower.
 */
export async function bundleCrashing(): Promise<string> {
  const options = nodeBundle({
    entry: "test/support/fault/crashing-daemon.ts",
    file: "crashing.js",
    external: ["libsql", "@napi-rs/keyring", "@vscode/ripgrep"],
    dir: path.join(daemon, "dist", "test"),
    copy: [{ from: path.join(daemon, "src", "store", "database", "migrations"), to: path.join(daemon, "dist", "test", "migrations") }],
  });
  await build({ ...options, cwd: daemon });
  return path.join(daemon, "dist", "test", "crashing.js");
}
