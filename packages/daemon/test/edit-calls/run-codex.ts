import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { EditCall, Files } from "./call-types.ts";
import { endingOf, readFiles, type Ending } from "./run-baton.ts";

const MAX_MS = 30_000;

/** Runs patches with the program that Codex itself uses for its tool. `installed`: the folder with the package. */
export function runWithCodex(calls: readonly EditCall[], installed: string): Ending[] {
  const vendor = path.join(installed, "node_modules/@openai/codex-linux-x64/vendor/x86_64-unknown-linux-musl/bin/codex");
  return calls.map((call) => {
    if (call.kind !== "patch") throw new Error(`${call.name} is no patch`);
    const folder = mkdtempSync(path.join(tmpdir(), "baton-codex-"));
    try {
      writeFiles(folder, call.before);
      const { error } = spawnSync(vendor, ["--codex-run-as-apply-patch", call.patch], { cwd: folder, timeout: MAX_MS, stdio: "ignore" });
      if (error) throw error;
      return endingOf(call, readFiles(folder));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
}

export function writeFiles(folder: string, files: Files): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  }
}
