import { execFileSync } from "node:child_process";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL("../../", import.meta.url));
const require = createRequire(import.meta.url);
let file: string | undefined;

/** The extension as it ships, packed of what was built. */
export function packed(): string {
  if (file !== undefined) return file;
  const made = fileURLToPath(new URL("../../../../.tools/baton.vsix", import.meta.url)); // not in dist: whether that is current is told by its times
  const vsce = path.join(path.dirname(require.resolve("@vscode/vsce/package.json")), "vsce");
  execFileSync(process.execPath, [vsce, "package", "--no-dependencies", "--allow-missing-repository", "-o", made], {
    cwd: folder,
    stdio: ["ignore", "ignore", "inherit"],
  });
  return (file = made);
}
