import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { openDatabase, StoreFault } from "./database/database.ts";
import { openEventLog, type EventLog } from "./event-log.ts";
import { confirmedAppendLog } from "./confirmed-append-log.ts";

test("an event that was stored despite an error counts as stored, and a missing or foreign event does not", async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "baton-sure-"));
  const database = await openDatabase(path.join(folder, "baton.db"));
  const log = openEventLog(database);
  let writes = true;
  const failing: EventLog = {
    ...log,
    async append(step) {
      if (writes) await log.append(step);
      throw new StoreFault(new Error("connection lost"));
    },
  };
  const step = (after: number, n: number) => ({ streamId: "a", after, events: [{ type: "said", n }], at: 1 });
  expect(await confirmedAppendLog(failing).append(step(0, 1))).toEqual([{ type: "said", n: 1, seq: 1, at: 1 }]);
  expect(await confirmedAppendLog(log).append(step(1, 2))).toMatchObject([{ seq: 2 }]);
  await expect(confirmedAppendLog(log).append(step(1, 3))).rejects.toMatchObject({ conflict: true });
  writes = false;
  await expect(confirmedAppendLog(failing).append(step(2, 3))).rejects.toThrow(/connection lost/);
  const receipt = { commandId: "c", answer: 1 };
  await expect(confirmedAppendLog(failing).append({ streamId: "a", after: 2, events: [], at: 1, receipt })).rejects.toThrow(
    /connection lost/,
  );
  expect(await log.read("a")).toHaveLength(2);
  database.close();
  rmSync(folder, { recursive: true });
});
