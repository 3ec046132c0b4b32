import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { agents } from "../../bench/compare/agents.ts";
import { EveryModel } from "../../bench/compare/server.ts";
import type { EditCall } from "./call-types.ts";
import { endingOf, readFiles, type Ending } from "./run-baton.ts";
import { writeFiles } from "./run-codex.ts";

const PATIENCE_MS = 15 * 60_000;

/** Runs replacements with opencode's own tools. A model on loopback reads each file and then edits it. Every call has a separate folder. */
export async function runWithOpencode(calls: readonly EditCall[], installed: string): Promise<Ending[]> {
  const agent = agents.find(({ name }) => name === "opencode");
  if (!agent) throw new Error("opencode is not among the agents");
  const root = mkdtempSync(path.join(tmpdir(), "baton-opencode-"));
  const [home, work] = [path.join(root, "home"), path.join(root, "work")];
  const folderOf = (index: number) => path.join(work, String(index + 1));
  mkdirSync(home);
  for (const [i, call] of calls.entries()) writeFiles(folderOf(i), call.before);
  try {
    const steps = calls.length * 2;
    await using model = await EveryModel.start({ steps, call: (step) => callAt(calls, step, folderOf), onRequest: () => {} });
    const { command, args, env } = agent.start({ home, work, url: model.url, installed, node: process.execPath });
    const child = spawn(command, args, {
      cwd: work,
      env: { PATH: process.env["PATH"], HOME: home, TERM: "dumb", ...env },
      stdio: "ignore",
      timeout: PATIENCE_MS,
    });
    await new Promise((ended) => child.on("close", ended));
    if (model.requests <= steps) throw new Error(`opencode ended after ${model.requests} of ${steps} requests`);
    return calls.map((call, i) => endingOf(call, readFiles(folderOf(i))));
  } finally {
    rmSync(root, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Each call takes two steps, because opencode requires a read of a file before its edit. */
function callAt(calls: readonly EditCall[], step: number, folderOf: (index: number) => string): { tool: string; input: unknown } {
  const index = Math.min(calls.length - 1, Math.floor((step - 1) / 2));
  const call = calls[index];
  if (call?.kind !== "replace") throw new Error("only replacements are compared with opencode");
  const filePath = call.path.startsWith("./") ? `${folderOf(index)}/${call.path}` : path.join(folderOf(index), call.path);
  if (step % 2 === 1) return { tool: "read", input: { filePath } };
  return { tool: "edit", input: { filePath, oldString: call.old, newString: call.now, ...(call.all ? { replaceAll: true } : {}) } };
}
