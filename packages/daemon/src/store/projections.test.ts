import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { SessionId } from "@baton/core/protocol/ids";
import { emptyState } from "@baton/core/session/state";
import { expect, test } from "vitest";
import { openDatabase } from "./database/database.ts";
import { projectionStatements, openLists } from "./projections.ts";
import { openEventLog } from "./event-log.ts";

test("old sessions are found, however many newer ones there are", async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "baton-lists-"));
  const database = await openDatabase(path.join(folder, "baton.db"));
  try {
    const log = openEventLog(database);
    const lists = openLists(database);
    for (let at = 1; at <= 510; at++) {
      const id = `s${at}` as SessionId;
      const state = { ...emptyState, created: true, archived: true, workspace: "/w", createdAt: at, updatedAt: at };
      await log.append({
        streamId: id,
        after: 0,
        events: [{ type: "x" }],
        at,
        derived: projectionStatements({ id, before: emptyState, after: state, seq: 1, count: 1, uses: [] }),
      });
    }
    expect(await lists.sessions({ archived: true })).toHaveLength(500);
    expect((await lists.sessions({ archived: true, before: 3 })).map(({ id }) => id)).toEqual(["s2", "s1"]);
  } finally {
    database.close();
    rmSync(folder, { recursive: true });
  }
});
