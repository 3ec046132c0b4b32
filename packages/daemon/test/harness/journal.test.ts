import { statSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import Driver from "libsql";
import { expect, test } from "vitest";
import { openDatabase } from "../../src/store/database/database.ts";
import { openEventLog } from "../../src/store/event-log.ts";
import { Folder } from "../support/folder.ts";
import { record } from "./record.ts";

const migrations = fileURLToPath(new URL("../../src/store/database/migrations", import.meta.url));
const MEGABYTE = 1024 * 1024;

test(
  "a foreign program with a long read makes the journal grow, and afterwards the daemon cuts it back to 64 MB",
  { timeout: 120_000 },
  async () => {
    using folder = new Folder();
    const file = path.join(folder.path, "baton.db");
    const database = await openDatabase(file, { migrations });
    const log = openEventLog(database);
    const write = (after: number, bytes: number) =>
      log.append({ streamId: "s", after, events: [{ type: "said", text: "x".repeat(bytes) }], at: 1 });
    await write(0, 10);
    const reader = new Driver(file);
    reader.exec("BEGIN");
    reader.prepare("SELECT count(*) FROM event").all();
    for (let seq = 1; seq <= 20; seq++) await write(seq, 4 * MEGABYTE);
    const grown = statSync(`${file}-wal`).size;
    reader.exec("COMMIT");
    reader.close();
    for (let seq = 21; seq <= 24; seq++) await write(seq, 10);
    const after = statSync(`${file}-wal`).size;
    console.log(`the journal had ${Math.round(grown / MEGABYTE)} MB, and has ${Math.round(after / MEGABYTE)} MB`);
    record({ row: "9", tried: 1, lost: after <= 64 * MEGABYTE ? 0 : 1 });
    expect(grown).toBeGreaterThan(64 * MEGABYTE);
    expect(after).toBeLessThanOrEqual(64 * MEGABYTE);
    expect((await log.read("s")).length).toBe(25);
    database.close();
  },
);
