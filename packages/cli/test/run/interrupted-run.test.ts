import { spawn } from "node:child_process";
import { rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { call, openHome, type Home } from "../support/home.ts";
import { linesOf } from "../support/json-lines.ts";

const CLIENT = fileURLToPath(new URL("../../dist/main.js", import.meta.url));

const spawnRun = (home: Home, args: readonly string[]) =>
  spawn(process.execPath, [CLIENT, ...args], { cwd: home.workspace, env: home.env, stdio: ["ignore", "pipe", "ignore"] });

test("SIGINT stops the turn and exits with 130", async () => {
  await using home = openHome();
  const model = home.script({ text: "I take my time. ".repeat(50), stream: { characters: 2, everyMs: 50 } });
  const child = spawnRun(home, ["run", "go", "--json", "--model", model]);
  let out = "";
  child.stdout.on("data", (data: Buffer) => {
    if (!out.includes('"frame"') && data.includes('"frame"')) child.kill("SIGINT");
    out += data.toString();
  });
  expect(await new Promise((ended) => child.on("close", ended))).toBe(130);
  expect(linesOf(out).at(-1)).toMatchObject({ type: "result", status: "stopped" });
});

test("a killed daemon loses no line and repeats none", async () => {
  await using home = openHome();
  await home.run(["daemon", "start"]);
  const model = home.script({ text: "I take my time. ".repeat(8), stream: { characters: 2, everyMs: 20 } }, { text: "x" });
  const child = spawnRun(home, ["run", "go", "--json", "--model", model]);
  let out = "";
  child.stdout.on("data", (data: Buffer) => {
    if (!out.includes('"frame"') && data.includes('"frame"')) process.kill(home.daemonPid(), "SIGKILL");
    out += data.toString();
  });
  expect(await new Promise((ended) => child.on("close", ended))).toBe(0);
  const lines = linesOf(out);
  const seqs = lines.flatMap(({ seq }) => (typeof seq === "number" ? [seq] : []));
  expect(seqs).toEqual(seqs.map((_, i) => i + 1));
  expect(lines.at(-1)).toMatchObject({ status: "completed", text: "I take my time. ".repeat(8) });
});

test("a turn that breaks off is reported with its session and its cost", async () => {
  await using home = openHome();
  const slow = { text: "I take my time. ".repeat(200), stream: { characters: 2, everyMs: 20 } };
  const model = home.script({ text: "Hello." }, { text: "First I look.", calls: [call("list_files", {})] }, slow);
  const begun = await home.run(["run", "go", "--json", "--model", model]);
  const session = String(linesOf(begun.out).at(-1)?.["session"]);
  const child = spawnRun(home, ["run", "go on", "--json", "--session", session]);
  let out = "";
  let isLost = false;
  child.stdout.on("data", (data: Buffer) => {
    out += data.toString();
    if (isLost || !/"tool.finished"[^]*"frame"/.test(out)) return;
    isLost = true;
    process.kill(home.daemonPid(), "SIGKILL");
    for (const end of ["", "-wal", "-shm"]) rmSync(home.file(`baton.db${end}`), { force: true });
  });
  expect(await new Promise((ended) => child.on("close", ended))).toBe(2);
  expect(linesOf(out).at(-1)).toMatchObject({
    type: "result",
    session,
    status: "failed",
    text: "First I look.",
    steps: 2,
    message: expect.stringContaining("There is no session") as unknown,
  });
});
