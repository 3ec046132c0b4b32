import type { SessionId } from "@baton/core/protocol/ids";
import { expect, test } from "vitest";
import { ChangedSessionRows } from "./changed-session-rows.ts";

const id = (n: number) => `s${n}` as SessionId;

test("each row that changed after a mark is named once", () => {
  const rows = new ChangedSessionRows();
  const order = [1, 2, 1, 3, 2, 2, 4].map(id);
  const marks = order.map((each) => {
    const { mark } = rows;
    rows.changed([each]);
    return mark;
  });
  for (const [i, mark] of marks.entries()) expect(rows.since(mark)?.toSorted()).toEqual([...new Set(order.slice(i))].toSorted());
  expect(rows.since(rows.mark)).toEqual([]);
});

test("an invalid mark, an old one, or one from before a restart gets the whole list", () => {
  const rows = new ChangedSessionRows();
  const { mark } = rows;
  rows.changed([id(0)]);
  const later = rows.mark;
  rows.changed(Array.from({ length: 1_000 }, (_, i) => id(i + 1)));
  expect([new ChangedSessionRows().since(mark), rows.since(""), rows.since("x 1"), rows.since(mark)]).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
  expect(rows.since(later)).toHaveLength(1_000);
});
