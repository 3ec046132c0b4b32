import { execFile } from "node:child_process";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type Driver from "libsql";
import { expect, test } from "vitest";
import { openSqlite } from "../../src/store/database/sqlite-version.ts";
import { TestDaemon } from "../support/daemon.ts";
import { script } from "../support/script.ts";
import { record } from "./record.ts";

const program = fileURLToPath(new URL("../../dist/store.js", import.meta.url));

type Found = { ok: boolean; events: number; problems: string[] };

const inStore = async <T>(home: string, ...args: string[]): Promise<T> =>
  JSON.parse((await promisify(execFile)(process.execPath, [program, ...args], { env: { BATON_HOME: home } })).stdout) as T;

/** The only value of this query. */
const one = (driver: Driver.Database, sql: string, ...values: string[]): unknown =>
  driver
    .prepare(sql)
    .raw()
    .all(...values)
    .flat()[0];

/** How often the test reads the store completely, and copies it, while the daemon writes. */
const LOOKS = Number(process.env["BATON_LOOKS"] ?? 4);

test(
  "while the daemon writes, other programs read and copy its store, every copy is intact, and nothing is lost",
  { timeout: 300_000 },
  async () => {
    await using daemon = await TestDaemon.start();
    const session = await daemon.session({
      model: script(
        daemon,
        Array.from({ length: LOOKS * 500 }, () => ({ text: "said" })),
      ),
    });
    let prompts = 0;
    let isLooking = true;
    const writing = (async () => {
      while (isLooking) {
        await session.prompt(`prompt ${++prompts}`);
        await session.untilEnd(prompts);
      }
    })();
    let lost = 0;
    for (let n = 0; n < LOOKS; n++) {
      const found = await inStore<Found>(daemon.home, "check");
      const { file } = await inStore<{ file: string }>(daemon.home, "backup", path.join(daemon.root, `copy-${n}.db`));
      using copy = openSqlite(file);
      const seqs = copy.driver.prepare("SELECT seq FROM event WHERE stream_id = ? ORDER BY seq").all(session.id) as { seq: number }[];
      const isWhole = seqs.every(({ seq }, i) => seq === i + 1) && seqs.length >= Math.max(0, found.events - 2);
      const isSound = one(copy.driver, "PRAGMA integrity_check") === "ok";
      if (!found.ok || !isWhole || !isSound) lost++;
    }
    isLooking = false;
    await writing;
    await daemon.kill(); // no final checkpoint cleans up
    using left = openSqlite(path.join(daemon.home, "baton.db"));
    const eventCount = one(left.driver, "SELECT count(*) FROM event WHERE stream_id = ?", session.id);
    console.log(`${String(eventCount)} events written during ${LOOKS} looks and ${LOOKS} copies`);
    record({ row: "10", tried: 2 * LOOKS, lost });
    expect([lost, eventCount, one(left.driver, "PRAGMA integrity_check")]).toEqual([0, session.events.length, "ok"]);
  },
);

test("a connection from outside cannot write", async () => {
  await using daemon = await TestDaemon.start();
  const session = await daemon.session({ model: script(daemon, [{ text: "hello" }]) });
  await session.runTurn("hi");
  using outside = openSqlite(path.join(daemon.home, "baton.db"));
  expect(() => outside.driver.exec("DELETE FROM event")).toThrow(/readonly/i);
  const { engine } = await daemon.connect().api.daemon.status.query();
  expect(engine?.sqlite).toBe(one(outside.driver, "SELECT sqlite_version()"));
});
