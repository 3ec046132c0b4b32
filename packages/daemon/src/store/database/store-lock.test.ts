import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { takeLock } from "./store-lock.ts";

test("one process holds a lock, and the lock is free again when that process is killed", async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "baton-lock-"));
  const file = path.join(folder, "lock");
  const holding = `import { takeLock } from ${JSON.stringify(new URL("store-lock.ts", import.meta.url).href)}; console.log(takeLock(${JSON.stringify(file)}) !== undefined); setInterval(() => {}, 1000);`;
  const holder = spawn(process.execPath, ["--input-type=module", "-e", holding], { stdio: ["ignore", "pipe", "inherit"] });
  expect(String(await new Promise((resolve) => holder.stdout.once("data", resolve)))).toBe("true\n");
  expect(takeLock(file)).toBeUndefined();
  const ended = new Promise((end) => holder.once("exit", end));
  holder.kill("SIGKILL");
  await ended;
  const mine = takeLock(file);
  expect(mine).toBeDefined();
  expect(takeLock(file)).toBeUndefined();
  mine?.release();
  rmSync(folder, { recursive: true });
});
