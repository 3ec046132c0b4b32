import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterEach, expect, test } from "vitest";
import { openStdioProcesses } from "../../system/commands/stdio-process.ts";
import { checkWithLanguageServer } from "../checks/check-with-language-server.ts";
import type { LanguageServer } from "./language-server.ts";
import { serverFor } from "./server-definition.ts";
import { LanguageServerPool } from "./server-pool.ts";

const program = fileURLToPath(new URL("../../../test/support/language/odd-language-server.ts", import.meta.url));
const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** A pool with one server that behaves in this way, and the processes that it has started. */
function open(manner: string, options: { idleMs?: number; backoffMs?: number; memory?: number } = {}) {
  const root = mkdtempSync(path.join(tmpdir(), "baton-language-"));
  const processes = openStdioProcesses("test", process.env);
  const reports: string[] = [];
  const pids: number[] = [];
  const { memory = 4e9, ...rest } = options;
  const pool = new LanguageServerPool({
    processes: {
      start: async (...args) => {
        const started = await processes.start(...args);
        if (!("fault" in started)) pids.push(started.pid);
        return started;
      },
    },
    bounds: () => ({ processes: 2_000, memory }),
    sandbox: () => undefined,
    report: (problem) => reports.push(problem),
    ...rest,
  });
  closing.push(async () => {
    await pool.close();
    rmSync(root, { recursive: true, force: true });
  });
  const settings = { odd: { command: [process.execPath, program, manner], extensions: [".odd"] } };
  const definition = serverFor("a.odd", settings, root, process.env);
  if (!definition) throw new Error("node is installed");
  const check = (server: LanguageServer) =>
    checkWithLanguageServer(server, [{ file: path.join(root, "a.odd"), before: "good\n", after: "good\nbad\n" }]);
  return { pool, pids, reports, use: () => pool.use(definition, root, check) };
}

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

test("all uses of a server share one process and run one after the other", async () => {
  const { pids, use } = open("");
  const found = await Promise.all([use(), use(), use()]);
  expect(found.map((errors) => errors.map(({ errors: [error] }) => error?.line))).toEqual([[2], [2], [2]]);
  expect(pids).toHaveLength(1);
});

test("a killed server is started again when it is needed", async () => {
  const { pids, reports, pool, use } = open("", { backoffMs: 20 });
  await use();
  process.kill(pids[0] ?? 0, "SIGKILL");
  await expect.poll(() => pool.status()).toMatchObject([{ state: "failed" }]);
  await wait(30);
  expect(await use()).toHaveLength(1);
  expect([pids.length, reports.length]).toEqual([2, 1]);
});

test("a server that is killed during its work fails only that work", async () => {
  const { pids, use } = open("hang", { backoffMs: 1 });
  const work = use();
  await expect.poll(() => pids.length).toBe(1);
  process.kill(pids[0] ?? 0, "SIGKILL");
  await expect(work).rejects.toThrow(/disposed|closed|SIGKILL/);
});

test("a server that crashes is started again three times, and then not again", async () => {
  const { pids, reports, use } = open("crash", { backoffMs: 1 });
  for (let i = 0; i < 8; i++) {
    await use().catch(() => undefined);
    await wait(40);
  }
  expect(pids).toHaveLength(4);
  expect(reports.at(-1)).toContain("Baton does not start it again");
});

test("a server that no session uses stops, and the next use starts it again", async () => {
  const { pids, pool, use } = open("", { idleMs: 50 });
  await use();
  await expect.poll(() => pool.status()).toMatchObject([{ state: "stopped" }]);
  await expect.poll(() => isRunning(pids[0] ?? 0)).toBe(false);
  expect(await use()).toHaveLength(1);
  expect(pids).toHaveLength(2);
});

test("a server that does not stop is killed", async () => {
  const { pids, pool, use } = open("stubborn");
  await use();
  await pool.close();
  expect(pids.map(isRunning)).toEqual([false]);
});

test("a server that uses too much memory is stopped", async () => {
  const { pool, reports, use } = open("", { memory: 1_000_000 });
  await use().catch(() => undefined);
  await expect.poll(() => pool.status(), { timeout: 30_000 }).toMatchObject([{ state: "failed" }]);
  expect(reports.join("\n")).toContain("more than the limit of 1 MB");
});
