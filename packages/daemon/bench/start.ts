import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { compiled, TestDaemon } from "../test/support/daemon.ts";
import { script } from "../test/support/script.ts";
import type { Row } from "./table.ts";

const RUNS = 15;
/** V8 gives back the memory of the start when nothing happens for a while. */
const IDLE_MS = 30_000;
const cli = fileURLToPath(new URL("../../cli/dist/main.js", import.meta.url));

/**
 * Measures the time from spawn to the first answer, and terminal commands as whole processes, in a home that has been used
 * before.
 */
export async function start(): Promise<Row[]> {
  const ready: number[] = [];
  const memory: number[] = [];
  await using daemon = await TestDaemon.start();
  for (let i = 0; i < RUNS; i++) {
    await daemon.kill("SIGTERM");
    const began = performance.now();
    await daemon.start();
    await fetch(`http://127.0.0.1:${daemon.discovery.port}/healthz`);
    ready.push(performance.now() - began);
    memory.push((await daemon.connect().api.daemon.status.query()).memory / 1024 / 1024);
  }
  await new Promise((later) => setTimeout(later, IDLE_MS));
  const idle = (await daemon.connect().api.daemon.status.query()).memory / 1024 / 1024;
  const fresh = await timed(RUNS, async () => {
    const another = await TestDaemon.start();
    await fetch(`http://127.0.0.1:${another.discovery.port}/healthz`);
    return () => another[Symbol.asyncDispose]();
  });
  const bare = await timed(RUNS, () =>
    ended(["-e", "require('node:http').createServer().listen(0, '127.0.0.1', () => process.exit())"], {}),
  );
  const empty = await timed(RUNS, () => ended(["-e", ""], {}));
  return [
    {
      what: "daemon: spawn to first answer",
      unit: "ms",
      values: ready,
      budget: "100 ms",
      reference: { what: "bare node server", values: bare },
    },
    { what: "the same, in a home that is new", unit: "ms", values: fresh, reference: { what: "bare node server", values: bare } },
    { what: "daemon: memory right after the start", unit: "MiB", values: memory },
    { what: "daemon: memory when idle", unit: "MiB", values: [idle], budget: "85 MiB" },
    ...(await runs(empty)),
  ];
}

async function runs(empty: number[]): Promise<Row[]> {
  await using daemon = await TestDaemon.start();
  const model = script(daemon, [{ text: "hello" }]);
  const env = { BATON_HOME: daemon.home, NODE_COMPILE_CACHE: compiled };
  const running = await timed(RUNS, () => ended([cli, "run", "hi", "--model", model, "--cwd", daemon.workspace], env));
  const stop = () => ended([cli, "daemon", "stop"], env);
  await daemon.kill("SIGTERM");
  const cold = await timed(RUNS, async () => {
    await ended([cli, "run", "hi", "--model", model, "--cwd", daemon.workspace], env);
    return stop;
  });
  const version = await timed(RUNS, () => ended([cli, "--version"], {}));
  return [
    { what: "baton --version", unit: "ms", values: version, reference: { what: "empty node", values: empty } },
    {
      what: "baton run, one answer, daemon running",
      unit: "ms",
      values: running,
      budget: "110 ms",
      reference: { what: "empty node", values: empty },
    },
    {
      what: "baton run, one answer, daemon not running",
      unit: "ms",
      values: cold,
      budget: "220 ms",
      reference: { what: "empty node", values: empty },
    },
  ];
}

/** Whole processes, one after the other. The function that `work` returns runs between two runs, outside of the measurement. */
async function timed(runs_: number, work: () => Promise<void | (() => Promise<void>)>): Promise<number[]> {
  const values: number[] = [];
  for (let i = 0; i < runs_; i++) {
    const began = performance.now();
    const after = await work();
    values.push(performance.now() - began);
    await after?.();
  }
  return values;
}

function ended(args: string[], env: Record<string, string>): Promise<void> {
  const child = spawn(process.execPath, args, {
    stdio: ["ignore", "ignore", "inherit"],
    env: { PATH: process.env["PATH"], HOME: "/nonexistent", ...env },
  });
  return new Promise((done, fail) =>
    child.once("exit", (code) => (code === 0 ? done() : fail(new Error(`${args.join(" ")} ended with ${code}`)))),
  );
}
