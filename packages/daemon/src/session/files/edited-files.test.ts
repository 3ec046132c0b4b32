import type { SessionId } from "@baton/core/protocol/ids";
import type { SessionRow } from "@baton/core/session/session-list";
import { expect, test } from "vitest";
import { editedFiles } from "./edited-files.ts";
import { openFileEditors } from "./file-editors.ts";

const DAY = 24 * 3_600_000;
const NOW = 10 * DAY;
const id = (text: string) => text as SessionId;
const row = (name: string, archived = false) =>
  ({ id: id(name), title: name.toUpperCase(), workspace: "/app", updatedAt: NOW, archived }) as SessionRow; // what these lists read

/** The files that sessions changed before the daemon started, and the rows of the sessions that exist. */
function lists(logs: Record<string, { path: string; at: number }[]>, rows: readonly SessionRow[]) {
  const log = { ofType: (session: string) => Promise.resolve((logs[session] ?? []) as never[]) };
  const found = {
    sessions: () => Promise.resolve([...rows]),
    rows: (ids: readonly SessionId[]) => Promise.resolve(rows.filter((each) => ids.includes(each.id))),
  };
  return { editors: openFileEditors(log, found, () => NOW), found };
}

test("files of several sessions come first, and a subtask counts for the session that started it", async () => {
  const { editors, found } = lists({ one: [{ path: "a.ts", at: NOW - 5 }] }, [row("one"), row("two")]);
  editors.record(id("two.1"), "/app/src", "../a.ts", NOW - 3);
  editors.record(id("two"), "/app", "b.ts", NOW - 1);
  expect(await editedFiles(editors, found)).toEqual([
    {
      file: "/app/a.ts",
      sessions: [
        { id: "two", title: "TWO", path: "../a.ts", at: NOW - 3 },
        { id: "one", title: "ONE", path: "a.ts", at: NOW - 5 },
      ],
    },
    { file: "/app/b.ts", sessions: [{ id: "two", title: "TWO", path: "b.ts", at: NOW - 1 }] },
  ]);
});

test("edits older than a day, and those of deleted and archived sessions, are left out", async () => {
  const { editors, found } = lists({}, [row("one"), row("kept", true)]);
  editors.record(id("one"), "/app", "old.ts", NOW - DAY - 1);
  editors.record(id("kept"), "/app", "a.ts", NOW);
  editors.record(id("deleted"), "/app", "a.ts", NOW);
  expect(await editedFiles(editors, found)).toEqual([]);
});
