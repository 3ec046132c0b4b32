import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import path from "node:path";
import { stackLayers } from "@baton/core/permission/rule-layers";
import { sandboxView } from "../src/composition/sessions/sandbox-view.ts";
import { limitedFiles } from "../src/permission/limited-files.ts";
import { bubblewrap } from "../src/system/sandbox/bubblewrap.ts";
import { probeSandbox } from "../src/system/sandbox/probe-sandbox.ts";
import type { Row } from "./table.ts";

const RUNS = 60;
const FOLDERS = 200;
const FILES = 10;

/** Measures how much later a command starts in the sandbox, in a workspace of 2,000 files, beside the bare command in the same run. */
export async function sandbox(): Promise<Row[]> {
  const root = realpathSync(mkdtempSync(path.join(tmpdir(), "baton-bench-")));
  try {
    const workspace = path.join(root, "work");
    for (let i = 0; i < FOLDERS; i++) {
      mkdirSync(path.join(workspace, `folder-${i}`), { recursive: true });
      for (let n = 0; n < FILES; n++) writeFileSync(path.join(workspace, `folder-${i}`, `${n}.ts`), "x\n");
    }
    writeFileSync(path.join(workspace, ".env"), "KEY=x\n");
    const box = bubblewrap({ folder: path.join(root, "state"), home: homedir(), searchPath: process.env["PATH"] ?? "", network: false });
    const state = await probeSandbox(box, workspace);
    if (!state.works) return [];
    const rules = stackLayers({ mode: { rules: [], ceilings: [] }, user: [], workspace: [], session: [] });
    const [bare, inside, views]: [number[], number[], number[]] = [[], [], []];
    for (let run = 0; run <= RUNS; run++) {
      const plain = await timeOf(() => runToEnd("/bin/bash", ["-c", "true"], workspace));
      const began = performance.now();
      const view = sandboxView(rules, { workspace, writable: [], ownRoots: [], limitedFiles });
      const viewed = performance.now() - began;
      if (typeof view === "string") throw new Error(view);
      const wrapped = await timeOf(() => {
        const { file, args } = box.wrap({ file: "/bin/bash", args: ["-c", "true"] }, view);
        return runToEnd(file, args, workspace);
      });
      if (run === 0) continue; // the first run loads the code
      bare.push(plain);
      inside.push(viewed + wrapped);
      views.push(viewed);
    }
    return [
      { what: "a command in the sandbox, 2,000 files", unit: "ms", values: inside, reference: { what: "the bare command", values: bare } },
      { what: "of it: finding the files that the command may see", unit: "ms", values: views },
    ];
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

async function timeOf(work: () => Promise<void>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

async function runToEnd(file: string, args: readonly string[], cwd: string): Promise<void> {
  const child = spawn(file, args, { cwd, stdio: ["ignore", "pipe", "pipe"] });
  for (const stream of [child.stdout, child.stderr]) stream.resume();
  await once(child, "close");
}
