import { copyFileSync, mkdtempSync, rmSync, statSync, truncateSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import Driver from "libsql";
import { expect, test } from "vitest";
import { openDatabase } from "../../src/store/database/database.ts";
import { openEventLog } from "../../src/store/event-log.ts";
import { record } from "./record.ts";

const SECTOR = 512;
const TAIL = 64 * 1024;

test("a store whose last writes a power loss cut off is intact at every position, and has all earlier confirmed writes", async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "baton-torn-"));
  const file = path.join(folder, "baton.db");
  const database = await openDatabase(file);
  const log = openEventLog(database);
  let tried = 0;
  const broken: string[] = [];
  for (let n = 1; n <= 60; n++) {
    await log.append({
      streamId: `s${n % 3}`,
      after: Math.floor((n - 1) / 3),
      events: [{ type: "said", text: "x".repeat(n * 40) }],
      at: n,
    });
    if (n % 20 !== 0) continue;
    const whole = statSync(`${file}-wal`).size;
    for (let end = whole; end >= Math.max(0, whole - TAIL); end -= SECTOR, tried++) {
      const copy = path.join(folder, `${n}-${end}.db`); // a unique name, because the driver may hold a closed store a while longer
      for (const part of ["", "-wal"]) copyFileSync(file + part, copy + part);
      truncateSync(`${copy}-wal`, end);
      const found = look(copy);
      if (found.integrity !== "ok") broken.push(`cut at ${end} of ${whole}: ${found.integrity}`);
      if (!found.whole) broken.push(`cut at ${end} of ${whole}: a stream has a hole`);
      if (end === whole && found.events !== n) broken.push(`${n} events were written, ${found.events} are there`);
    }
  }
  database.close();
  rmSync(folder, { recursive: true });
  record({ row: "3", tried, lost: broken.length });
  expect(broken).toEqual([]);
});

/** Reads whether a store is intact, and whether the numbers of every stream start at 1 and have no gap. */
function look(file: string): { integrity: string; whole: boolean; events: number } {
  const driver = new Driver(file);
  const [row] = driver.prepare("PRAGMA integrity_check").all() as Record<string, string>[];
  const tables = driver.prepare("SELECT count(*) AS n FROM sqlite_master WHERE name = 'event'").get() as { n: number };
  const streams =
    tables.n === 0
      ? []
      : (driver.prepare("SELECT count(*) AS n, max(seq) AS last FROM event GROUP BY stream_id").all() as { n: number; last: number }[]);
  driver.close();
  return {
    integrity: Object.values(row ?? {})[0] ?? "nothing",
    whole: streams.every(({ n, last }) => n === last),
    events: streams.reduce((sum, { n }) => sum + n, 0),
  };
}
