import type { SessionRow } from "@baton/core/session/session-list";
import { expect, test } from "vitest";
import type { Place } from "../store/data/place-folders.ts";
import { boardColumns } from "./board-columns.ts";

const ALL = { folder: "", place: "", text: "" };

const row = (id: string, more: Partial<SessionRow>): SessionRow => ({
  id: id as SessionRow["id"],
  parentId: null,
  workspace: "/code/app",
  title: id,
  task: null,
  mode: "code",
  model: null,
  status: "idle",
  steps: 0,
  cost: 0,
  openRequests: 0,
  archived: false,
  seq: 1,
  createdAt: 0,
  updatedAt: 0,
  ...more,
});

const titles = (rows: readonly SessionRow[], filter = ALL, places: readonly Place[] = []) =>
  Object.fromEntries(boardColumns(rows, places, filter).map(({ name, trees }) => [name, trees.map((tree) => tree.row.title)]));

test("each session is in the column of its state, and a subtask counts for its parent", () => {
  const rows = [
    row("a", { status: "idle" }),
    row("b", { status: "failed" }),
    row("c", { status: "unknown" }),
    row("d", { status: "working" }),
    row("e", { status: "working" }),
    row("e.1", { parentId: "e" as SessionRow["id"], status: "waiting" }),
    row("f", { status: "idle", archived: true }),
  ];
  expect(titles(rows)).toEqual({ waiting: ["e"], working: ["d"], done: ["a"], failed: ["b", "c"], archived: ["f"] });
});

test("the session that has waited longest comes first, and so does the session that ended last", () => {
  const rows = ["waiting", "idle"].flatMap((status) =>
    [1, 3, 2].map((updatedAt) => row(`${status}${updatedAt}`, { status: status as SessionRow["status"], updatedAt })),
  );
  expect(titles(rows)).toMatchObject({ waiting: ["waiting1", "waiting2", "waiting3"], done: ["idle3", "idle2", "idle1"] });
});

test("the filters keep the sessions of a folder with its places, of one place, and with all words", () => {
  const place = { id: "fix-1234", name: "fix", branch: "baton/fix", root: "/places/fix", checkout: "/code/app" } as Place; // the fields that a board reads
  const rows = [row("here", {}), row("inside", { workspace: "/places/fix" }), row("elsewhere", { workspace: "/code/other" })];
  expect(titles(rows, { ...ALL, folder: "/code/app" }, [place])["done"]).toEqual(["here", "inside"]);
  expect(titles(rows, { ...ALL, place: "fix-1234" }, [place])["done"]).toEqual(["inside"]);
  expect(titles(rows, { ...ALL, text: "code BATON/fix" }, [place])["done"]).toEqual(["inside"]);
});

test("the words of the filter also find the files that a session changed", () => {
  const rows = [row("one", {}), row("two", {})];
  const columns = boardColumns(rows, [], { ...ALL, text: "login.TS" }, new Map([["two", [{ file: "/code/app/src/login.ts" }]]]));
  expect(columns.flatMap(({ trees }) => trees.map((tree) => tree.row.title))).toEqual(["two"]);
});
