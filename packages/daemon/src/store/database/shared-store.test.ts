import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { openDatabase } from "./database.ts";
import { openSharedStore } from "./shared-store.ts";

const INSERT = `INSERT INTO session (id, workspace, title, mode, status, due, steps, cost, open_requests, archived, seq, created_at, updated_at)
  VALUES (?, '/w', '', 'code', 'idle', 0, 0, 0, 0, 0, ?, 0, 0)`;

test("sessions that other machines started, changed or deleted since the last check are found, and no others", async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "baton-shared-"));
  const database = await openDatabase(path.join(folder, "baton.db"));
  try {
    const shared = openSharedStore(database, { machine: { id: "m", name: "here" }, formerly: "d" });
    await database.write([
      { sql: INSERT, args: ["a", 1] },
      { sql: INSERT, args: ["b", 5] },
    ]);
    expect(await shared.changed()).toEqual(new Set());
    expect(await shared.changed()).toEqual(new Set());
    await database.write([
      { sql: "UPDATE session SET seq = 2 WHERE id = ?", args: ["a"] },
      { sql: INSERT, args: ["c", 1] },
    ]);
    expect(await shared.changed()).toEqual(new Set(["a", "c"]));
    await database.write([{ sql: "DELETE FROM session WHERE id = ?", args: ["b"] }]);
    expect(await shared.changed()).toEqual(new Set(["b"]));
    expect(await shared.changed()).toEqual(new Set());
  } finally {
    database.close();
    rmSync(folder, { recursive: true });
  }
});
