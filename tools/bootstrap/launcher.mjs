import { chmodSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { onWindows, root } from "./process.mjs";

/** node_modules/.bin/baton starts the built client without npm, with this Node. */
export function writeLauncher(node, client) {
  const file = path.join(root, "node_modules", ".bin", "baton");
  write(file, `#!/bin/sh\nexec ${quoted(node)} ${quoted(client)} "$@"\n`);
  if (onWindows) write(`${file}.cmd`, `@"${node}" "${client}" %*\r\n`);
}

/** Removes the file first, because the package manager may have left a link to the client here. */
function write(file, text) {
  rmSync(file, { force: true });
  writeFileSync(file, text);
  chmodSync(file, 0o755);
}

function quoted(text) {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
