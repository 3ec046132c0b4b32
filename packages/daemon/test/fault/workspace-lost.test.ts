import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { openRequests } from "@baton/core/session/state";
import { expect, test } from "vitest";
import { TestDaemon } from "../support/daemon.ts";
import { script } from "../support/script.ts";
import type { TestSession } from "../support/session.ts";

const isRoot = process.platform === "linux" && process.getuid?.() === 0;
if (!isRoot) process.stderr.write("not root: disks that are full, read-only or gone are tried only by root\n");

const permissions = [
  { action: "command", resource: "node make.mjs", effect: "allow" },
  { action: "edit", resource: "*", effect: "allow" },
];

/** A program that writes a file that no gate can know. */
const program = 'process.getBuiltinModule("fs").writeFileSync("made", "made");';

/** Each turn writes a file and runs a command that writes another. */
const work = [
  { calls: [{ tool: "write_file", input: { path: "notes.txt", content: "new\n" } }] },
  { calls: [{ tool: "run_command", input: { command: "node make.mjs" } }] },
  { text: "Done." },
];

const resultsOf = (session: TestSession) =>
  session.events.flatMap((event) => (event.type === "tool.finished" ? [{ outcome: event.result.outcome, text: event.result.text }] : []));

/** One more turn, in which every request is denied. Returns its results. */
async function turn(session: TestSession): Promise<{ outcome: string; text: string }[]> {
  const [before, turns] = [resultsOf(session).length, session.state.turns];
  await session.prompt("go on");
  for (;;) {
    await session.until("a request or the end", ({ state }) => openRequests(state).length > 0 || (state.turns > turns && !state.turn));
    const [request] = openRequests(session.state);
    if (!request) return resultsOf(session).slice(before);
    await session.answer({ choice: "deny" }, request.id);
  }
}

test("if a workspace is moved away or becomes a link, Baton writes nothing anywhere else, and reports that", async () => {
  await using daemon = await TestDaemon.start({ config: { permissions } });
  daemon.write("make.mjs", program);
  const session = await daemon.session({ model: script(daemon, [...work, ...work, ...work, ...work]) });
  expect((await turn(session)).map(({ outcome }) => outcome)).toEqual(["ok", "ok"]);
  const [away, other] = [path.join(daemon.root, "away"), path.join(daemon.root, "other")];

  renameSync(daemon.workspace, away);
  const gone = await turn(session);
  expect(gone.map(({ outcome }) => outcome)).toEqual(["failed", "failed"]);
  for (const { text } of gone) expect(text).toMatch(/no longer exists/);
  expect(existsSync(daemon.workspace)).toBe(false);

  mkdirSync(other);
  writeFileSync(path.join(other, "make.mjs"), program);
  symlinkSync(other, daemon.workspace);
  const [written, run] = await turn(session);
  expect(written).toMatchObject({ outcome: "denied" }); // Baton asked about it, by its real path
  expect(run).toMatchObject({ outcome: "failed", text: expect.stringContaining(`has become a link to ${other}`) as string });
  expect(readdirSync(other)).toEqual(["make.mjs"]);

  rmSync(daemon.workspace);
  renameSync(away, daemon.workspace);
  expect((await turn(session)).map(({ outcome }) => outcome)).toEqual(["ok", "ok"]);
});

test.runIf(isRoot)(
  "if a workspace's disk is full, then read-only, then gone, files stay as they were, and Baton reports that",
  async () => {
    await using daemon = await TestDaemon.start({ config: { permissions } });
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=64k", "tmpfs", daemon.workspace]);
    try {
      daemon.write("make.mjs", program);
      const long = { calls: [{ tool: "write_file", input: { path: "notes.txt", content: "x".repeat(100_000) } }] };
      const session = await daemon.session({ model: script(daemon, [...work, long, { text: "Done." }, ...work, ...work]) });
      expect((await turn(session)).map(({ outcome }) => outcome)).toEqual(["ok", "ok"]);

      const [full] = await turn(session);
      expect(full).toMatchObject({
        outcome: "failed",
        text: expect.stringContaining("disk is full, so notes.txt was not changed") as string,
      });
      expect(daemon.read("notes.txt")).toBe("new\n");
      expect(readdirSync(daemon.workspace).sort()).toEqual(["made", "make.mjs", "notes.txt"]);

      execFileSync("mount", ["-o", "remount,ro", daemon.workspace]);
      const readOnly = await turn(session);
      expect(readOnly.map(({ outcome }) => outcome)).toEqual(["failed", "failed"]);
      expect(readOnly[0]?.text).toMatch(/cannot be written|read-only/);
    } finally {
      execFileSync("umount", ["-l", daemon.workspace]);
    }
    writeFileSync(path.join(daemon.workspace, "still"), "usable");
    expect(daemon.read("still")).toBe("usable");
  },
);
