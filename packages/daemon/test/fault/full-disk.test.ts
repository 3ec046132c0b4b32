import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { refusalOf } from "@baton/core/client/rpc-errors";
import { TestDaemon } from "../support/daemon.ts";
import { script } from "../support/script.ts";

const isRoot = process.platform === "linux" && process.getuid?.() === 0;
if (!isRoot) process.stderr.write("not root: the full disk is tried on a real small file system only by root\n");

/** A file system of 4 MB that is removed with the test. */
function smallDisk(): { folder: string } & Disposable {
  const folder = mkdtempSync(path.join(tmpdir(), "baton-disk-"));
  execFileSync("mount", ["-t", "tmpfs", "-o", "size=4m", "tmpfs", folder]);
  return {
    folder,
    [Symbol.dispose]() {
      execFileSync("umount", ["-l", folder]);
      rmSync(folder, { recursive: true });
    },
  };
}

function fill(folder: string): string {
  const file = path.join(folder, "filler");
  for (const size of [1_000_000, 10_000, 500]) {
    try {
      for (;;) writeFileSync(file, Buffer.alloc(size), { flag: "a" });
    } catch {
      // full up to this size
    }
  }
  return file;
}

test.runIf(isRoot)("on a full disk nothing is lost, reading continues, clients are informed, and work resumes by itself", async () => {
  using disk = smallDisk();
  await using daemon = await TestDaemon.start({ home: path.join(disk.folder, "home") });
  const session = await daemon.session({
    model: script(daemon, [
      { text: "thinking", delayMs: 1_000, calls: [{ tool: "list_files", input: {} }] },
      { text: "x".repeat(20_000) },
      { text: "again" },
    ]),
  });
  await session.prompt("go");
  await session.until("the model", ({ events }) => events.some((event) => event.type === "model.started"));
  const filler = fill(disk.folder);
  await session.until("the banner", ({ frames }) => frames.some((frame) => frame.type === "stalled" && frame.message !== null));
  const { api } = daemon.connect();
  fill(disk.folder); // the daemon may have freed a page since then
  expect(await session.prompt("more").catch(refusalOf)).toMatchObject({
    code: "stalled",
    message: expect.stringContaining("disk is full") as unknown,
  });
  expect((await api.session.open.query({ sessionId: session.id })).state.turn).toBeDefined();
  expect(await api.daemon.status.query()).toMatchObject({
    pid: daemon.pid,
    diagnostics: [expect.objectContaining({ message: expect.stringContaining("disk is full") as unknown })],
  });
  rmSync(filler);
  await session.untilEnd();
  expect(session.events.at(-1)).toMatchObject({ reason: "completed" });
  await session.runTurn("now", 2);
  expect(session.events.map(({ seq }) => seq)).toEqual(session.events.map((_, i) => i + 1));
});
