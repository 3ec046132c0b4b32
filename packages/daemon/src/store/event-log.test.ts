import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { openDatabase, StoreFault } from "./database/database.ts";
import { openEventLog, type EventLog } from "./event-log.ts";

type Said = { type: string; n: number };

/** A log in a folder that is removed with the test. */
async function openLog(): Promise<{ log: EventLog } & AsyncDisposable> {
  const folder = mkdtempSync(path.join(tmpdir(), "baton-log-"));
  const database = await openDatabase(path.join(folder, "baton.db"));
  return {
    log: openEventLog(database),
    [Symbol.asyncDispose]: () => {
      database.close();
      rmSync(folder, { recursive: true });
      return Promise.resolve();
    },
  };
}

const eventsOf = (...numbers: number[]): Said[] => numbers.map((n) => ({ type: n % 2 === 0 ? "even" : "odd", n }));

test("events are read in the order in which they were appended, from any position", async () => {
  await using opened = await openLog();
  const { log } = opened;
  const first = await log.append({ streamId: "a", after: 0, events: eventsOf(1, 2), at: 7 });
  await log.append({ streamId: "b", after: 0, events: eventsOf(9), at: 7 });
  await log.append({ streamId: "a", after: 2, events: eventsOf(3), at: 8 });
  expect(first).toEqual([
    { type: "odd", n: 1, seq: 1, at: 7 },
    { type: "even", n: 2, seq: 2, at: 7 },
  ]);
  expect((await log.read<Said>("a")).map(({ n }) => n)).toEqual([1, 2, 3]);
  expect((await log.read<Said>("a", 1, 1)).map(({ n, seq }) => [n, seq])).toEqual([[2, 2]]);
  expect(await log.read("nothing")).toEqual([]);
  expect([await log.lastOf("a", "odd", 2), await log.lastOf("a", "odd", 3), await log.lastOf("a", "none", 3)]).toEqual([1, 3, 0]);
});

test("two writers of one stream conflict, and no event of the second is stored", async () => {
  await using opened = await openLog();
  const { log } = opened;
  await log.append({ streamId: "a", after: 0, events: eventsOf(1), at: 1 });
  const second = log.append({ streamId: "a", after: 0, events: eventsOf(5, 6), at: 1, receipt: { commandId: "c", answer: 1 } });
  await expect(second).rejects.toMatchObject({ conflict: true });
  await expect(second).rejects.toBeInstanceOf(StoreFault);
  expect((await log.read<Said>("a")).map(({ n }) => n)).toEqual([1]);
  expect(await log.receipt("a", "c")).toBeUndefined();
  await log.append({ streamId: "a", after: 1, events: eventsOf(2), at: 1 });
  expect((await log.read<Said>("a")).map(({ n }) => n)).toEqual([1, 2]);
});

test("a receipt repeats the first answer, even if the command added no events", async () => {
  await using opened = await openLog();
  const { log } = opened;
  await log.append({ streamId: "a", after: 0, events: eventsOf(1), at: 1, receipt: { commandId: "one", answer: { seq: 1 } } });
  await log.append({ streamId: "a", after: 1, events: [], at: 1, receipt: { commandId: "two", answer: { refused: "why" } } });
  expect([await log.receipt("a", "one"), await log.receipt("a", "two"), await log.receipt("b", "one")]).toEqual([
    { seq: 1 },
    { refused: "why" },
    undefined,
  ]);
});
