import { spawn } from "node:child_process";
import { once } from "node:events";
import { TestDaemon } from "../test/support/daemon.ts";
import { script } from "../test/support/script.ts";
import type { Row } from "./table.ts";

const STEPS = 40;
const RUNS = 7;
const NO_OP = "true";

/** Measures what one hook that does nothing adds to a step, beside the bare spawn of its command in the same run. */
export async function hooks(): Promise<Row[]> {
  const hook = { PreToolUse: [{ matcher: "Bash", hooks: [{ type: "command", command: NO_OP }] }] };
  await using bare = await TestDaemon.start({ config: { permissions: { command: "allow" } } });
  await using hooked = await TestDaemon.start({ config: { permissions: { command: "allow" }, hooks: hook } });
  const cwd = hooked.workspace;
  const { api } = hooked.connect();
  const { hooks: found } = await api.hook.list.query({ cwd });
  await api.hook.settle.mutate({ commandId: crypto.randomUUID(), cwd, hashes: found.map(({ hash }) => hash), approved: true });
  const added: number[] = [];
  const spawned: number[] = [];
  for (let run = 0; run <= RUNS; run++) {
    const without = await timePerStep(bare);
    const withHook = await timePerStep(hooked);
    const reference = await timePerSpawn();
    if (run === 0) continue; // the first run loads the code
    added.push(withHook - without);
    spawned.push(reference);
  }
  return [
    { what: "one hook that does nothing, added per step", unit: "ms", values: added, reference: { what: "bare spawn", values: spawned } },
  ];
}

/** Each step runs the command `true`, with other words so that it is no loop. */
async function timePerStep(daemon: TestDaemon): Promise<number> {
  const steps = Array.from({ length: STEPS }, (_, i) => ({ calls: [{ tool: "run_command", input: { command: `true ${i}` } }] }));
  const session = await daemon.session({ model: script(daemon, [...steps, { text: "Done." }]) });
  const began = performance.now();
  await session.runTurn("go");
  return (performance.now() - began) / STEPS;
}

async function timePerSpawn(): Promise<number> {
  const began = performance.now();
  for (let i = 0; i < STEPS; i++) {
    const child = spawn("bash", ["-c", NO_OP], { detached: true, stdio: ["pipe", "pipe", "pipe"] });
    child.stdin.end();
    for (const stream of [child.stdout, child.stderr]) stream.resume();
    await once(child, "close");
  }
  return (performance.now() - began) / STEPS;
}
