import { spawn } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { chmod, mkdir, writeFile } from "node:fs/promises";
import { attempt } from "../../src/permission/command/files/path-on-disk.ts";
import { gateCommand } from "../../src/permission/command/gate-command.ts";
import { Folder } from "../support/folder.ts";
import { nestedWithSigns, randomFrom } from "./nesting.ts";

export type Fuzzed = { cases: number; ran: number; asked: number; missed: string[] };

/**
 * Runs generated commands with the real bash in a scratch folder. For every command that bash ran, the gate must have detected it or asked
 * for the whole text.
 */
export async function fuzz(cases: number, seed: number): Promise<Fuzzed> {
  using folder = new Folder();
  const random = randomFrom(seed);
  const result: Fuzzed = { cases, ran: 0, asked: 0, missed: [] };
  for (let i = 0; i < cases; i++) {
    const text = nestedWithSigns(random, 3);
    if (!(await runs(text, folder))) continue;
    result.ran++;
    const gated = gateCommand(text, { workspace: folder.path, ownRoots: [], trusted: true, home: "/nowhere" });
    const isSeen = gated.some(
      ({ action, resource, gateRule }) => action === "command" && gateRule === undefined && /^(\.\/bin\/)?hidden( |$)/.test(resource),
    );
    const isAsked = gated.some(({ floor }) => floor !== undefined);
    if (isAsked && !isSeen) result.asked++;
    if (!isSeen && !isAsked) result.missed.push(text);
  }
  return result;
}

/** Whether bash runs the hidden program. The command gets a moment, no input, and only this folder. */
async function runs(text: string, folder: Folder): Promise<boolean> {
  const mark = folder.at("mark");
  rmSync(mark, { force: true });
  // The command before may have written over the program.
  rmSync(folder.at("bin"), { recursive: true, force: true });
  await mkdir(folder.at("bin"));
  await writeFile(folder.at("bin/hidden"), `#!/bin/sh\necho ran >> ${mark}\n`);
  await chmod(folder.at("bin/hidden"), 0o755);
  const child = spawn("bash", ["--norc", "--noprofile", "-c", `${text}\nwait 2>/dev/null`], {
    cwd: folder.path,
    env: { PATH: `${folder.at("bin")}:/usr/bin:/bin`, HOME: folder.path },
    stdio: "ignore",
    detached: true,
  });
  // Also ends what the command has left behind, such as a loop in a substitution.
  const { pid } = child;
  const end = () => void (pid !== undefined && attempt(() => process.kill(-pid, "SIGKILL")));
  const timer = setTimeout(end, 3_000);
  await new Promise((resolve) => child.once("close", resolve));
  clearTimeout(timer);
  end();
  return existsSync(mark) && readFileSync(mark, "utf8") !== "";
}
