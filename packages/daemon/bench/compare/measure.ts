import { spawn } from "node:child_process";
import { constants, copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import path from "node:path";
import { median } from "../table.ts";
import type { Agent } from "./agents.ts";
import { memoryOf } from "./memory.ts";
import { EveryModel } from "./server.ts";

/** `load`: how many programs wanted a processor on average during the run. */
export type Figures = {
  name: string;
  version: string;
  firstKiB: number;
  gaps: number[];
  at40: number;
  at400: number;
  seconds: number;
  load: number;
};

type Work = { installed: string; steps: number; runs: number };

const PATIENCE_MS = 15 * 60_000;

/** Other work on the machine disturbs some runs, so the fastest run says most about the agent. */
export async function calmest(agent: Agent, version: string, work: Work): Promise<Figures> {
  const runs: Figures[] = [];
  for (let run = 0; run < work.runs; run++) runs.push(await measure(agent, version, work));
  const [best] = runs.toSorted((a, b) => median(a.gaps) - median(b.gaps));
  if (!best) throw new Error("nothing was measured");
  return best;
}

async function measure(agent: Agent, version: string, { installed, steps }: Work): Promise<Figures> {
  const root = mkdtempSync(path.join(tmpdir(), "baton-compare-"));
  const [home, work] = [path.join(root, "home"), path.join(root, "work")];
  for (const folder of [home, work, path.join(work, "notes")]) mkdirSync(folder);
  // Each step reads another file, so that no loop detection triggers.
  for (let step = 1; step <= steps + 1; step++)
    writeFileSync(path.join(work, `notes/${step}.txt`), `Note ${step}: a line of text.\n`.repeat(10));
  const memory = new Map<number, number>();
  let pid = 0;
  await using model = await EveryModel.start({
    steps,
    call: (step) => agent.call(`notes/${step}.txt`, work),
    onRequest: (nth) => {
      if (nth === 41 || nth === steps + 1) memory.set(nth, memoryOf([pid, ...daemonsOf(home)]));
    },
  });
  // Without the measuring process itself, because memory that both share would count half.
  const node = path.join(root, "node");
  copyFileSync(process.execPath, node, constants.COPYFILE_FICLONE);
  const { command, args, env } = agent.start({ home, work, url: model.url, installed, node });
  const began = performance.now();
  const child = spawn(command, args, {
    cwd: work,
    env: { PATH: process.env["PATH"], HOME: home, TERM: "dumb", ...env },
    stdio: ["ignore", "ignore", "pipe"],
    timeout: PATIENCE_MS,
  });
  pid = child.pid ?? 0;
  let errors = "";
  child.stderr.on("data", (data: Buffer) => (errors = (errors + data.toString()).slice(-2_000)));
  await new Promise((ended) => child.on("close", ended));
  for (const daemon of daemonsOf(home)) process.kill(daemon);
  rmSync(root, { recursive: true, force: true, maxRetries: 5 });
  if (model.requests <= steps) process.stderr.write(`${agent.name} ended after ${model.requests} requests: ${errors}\n`);
  return {
    name: agent.name,
    version,
    firstKiB: model.firstBytes / 1024,
    gaps: model.gaps,
    at40: memory.get(41) ?? Number.NaN,
    at400: memory.get(steps + 1) ?? Number.NaN,
    seconds: (performance.now() - began) / 1_000,
    load: loadavg()[0] ?? Number.NaN,
  };
}

/** Baton's daemon is not a child of the client that started it. */
function daemonsOf(home: string): number[] {
  const file = path.join(home, "daemon.json");
  return existsSync(file) ? [(JSON.parse(readFileSync(file, "utf8")) as { pid: number }).pid] : [];
}
