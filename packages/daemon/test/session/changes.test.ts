import { expect, test } from "vitest";
import { script } from "../support/script.ts";
import { TestDaemon } from "../support/daemon.ts";
import { refusalOf } from "@baton/core/client/rpc-errors";
import { sessionFileChanges } from "@baton/core/session/changed-files";
import { transcriptOf } from "@baton/core/session/transcript/build-transcript";
import type { TestSession } from "../support/session.ts";

const call = (tool: string, input: unknown) => ({ tool, input });

test("a client can read the changes of a session and of one turn with their lines, and restore one file of them", async () => {
  await using daemon = await TestDaemon.start({ config: { permissions: { edit: "allow" } } });
  daemon.write("a.txt", "one\ntwo\n");
  daemon.write("b.txt", "keep\n");
  daemon.write("data.bin", "\u0000");
  const model = script(daemon, [
    {
      calls: [
        call("edit_file", { path: "a.txt", old_text: "one", new_text: "1" }),
        call("delete_file", { path: "data.bin" }),
        call("write_file", { path: "new.txt", content: "new\n" }),
      ],
    },
    { text: "First." },
    {
      calls: [
        call("edit_file", { path: "a.txt", old_text: "two", new_text: "2" }),
        call("edit_file", { path: "b.txt", old_text: "keep", new_text: "kept" }),
      ],
    },
    { text: "Second." },
  ]);
  const session = await daemon.session({ model });
  await session.runTurn("go");
  await session.runTurn("again", 2);
  const { api } = daemon.connect();
  const prompts = session.events.flatMap((event) => (event.type === "prompt.received" ? event.promptId : []));
  const changes = (promptId?: string) =>
    api.session.changes.query({ sessionId: session.id, ...(promptId === undefined ? {} : { promptId }) });
  const shape = (found: Awaited<ReturnType<typeof changes>>) =>
    found.map(({ path, view, after }) => [path, view?.change ?? (after === null ? "gone" : "other"), view?.added, view?.removed]);

  expect(shape(await changes())).toEqual([
    ["a.txt", "change", 2, 2],
    ["data.bin", "gone", undefined, undefined],
    ["new.txt", "create", 1, 0],
    ["b.txt", "change", 1, 1],
  ]);
  const [first] = await changes(prompts[0]);
  expect(first).toMatchObject({ path: "a.txt", elsewhere: false, view: { added: 1, removed: 1 } }); // although the second turn changed it again
  expect(shape(await changes(prompts[1]))).toEqual([
    ["a.txt", "change", 1, 1],
    ["b.txt", "change", 1, 1],
  ]);

  daemon.write("b.txt", "mine\n");
  expect((await changes(prompts[1])).map(({ path, elsewhere }) => [path, elsewhere])).toEqual([
    ["a.txt", false],
    ["b.txt", true],
  ]);
  await session.wish({ type: "undo", conversation: false, paths: ["a.txt"] });
  await session.until("the undo", ({ events }) => events.some(({ type }) => type === "undo.finished"));
  expect(daemon.read("a.txt")).toBe("one\ntwo\n");
  expect(daemon.read("new.txt")).toBe("new\n");
  expect((await changes()).map(({ path }) => path)).toEqual(["data.bin", "new.txt", "b.txt"]);
});

const NUMBERS = Array.from({ length: 30 }, (_, i) => `line ${i + 1}\n`);
const numbers = (changed: Record<number, string>) => NUMBERS.map((line, i) => changed[i + 1] ?? line).join("");

/** The changed files as a client lists them. */
function listed({ events }: TestSession): [string, number, number][] {
  const transcript = transcriptOf(events);
  return [...sessionFileChanges(transcript.entries).values()].map(({ path, added, removed }) => [path, added, removed]);
}

test("one hunk can be restored and brought back, and a file that changed since then stays unchanged", async () => {
  await using daemon = await TestDaemon.start({ config: { permissions: { edit: "allow" } } });
  daemon.write("a.txt", numbers({}));
  const edits = [
    call("edit_file", { path: "a.txt", old_text: "line 2\n", new_text: "two\n" }),
    call("edit_file", { path: "a.txt", old_text: "line 20\n", new_text: "twenty\nand more\n" }),
  ];
  const session = await daemon.session({ model: script(daemon, [{ calls: edits }, { text: "Done." }, { text: "I see." }]) });
  await session.runTurn("go");
  const { api } = daemon.connect();
  const hunk = async (index: number) => {
    const [change] = await api.session.changes.query({ sessionId: session.id });
    const { oldStart, newStart } = change?.view?.hunks[index] ?? { oldStart: -1, newStart: -1 };
    return { type: "restoreHunk", path: "a.txt", before: change?.before ?? "", after: change?.after ?? "", oldStart, newStart } as const;
  };
  const finished = () => session.events.filter(({ type }) => type === "undo.finished").length;
  const done = async (wish: Parameters<typeof session.wish>[0]) => {
    const before = finished();
    await session.wish(wish);
    await session.until("the restore", () => finished() > before);
  };
  const both = numbers({ 2: "two\n", 20: "twenty\nand more\n" });
  const second = await hunk(1);

  await done(await hunk(0));
  expect(daemon.read("a.txt")).toBe(numbers({ 20: "twenty\nand more\n" }));
  expect(listed(session)).toEqual([["a.txt", 2, 1]]);
  expect(await session.wish(second).catch(refusalOf)).toMatchObject({ code: "undo_conflict" }); // read before the first restore
  await done({ type: "redo" });
  expect(daemon.read("a.txt")).toBe(both);
  expect(listed(session)).toEqual([["a.txt", 3, 2]]);

  daemon.write("a.txt", `${both}mine\n`);
  expect(await session.wish(second).catch(refusalOf)).toMatchObject({ code: "undo_conflict" });
  expect(daemon.read("a.txt")).toBe(`${both}mine\n`);
  daemon.write("a.txt", both);
  const elsewhere = { ...second, before: second.after };
  expect(await session.wish(elsewhere).catch(refusalOf)).toMatchObject({ code: "nothing_to_undo" }); // not a content from before a change

  await done(second);
  await done(await hunk(0));
  expect(daemon.read("a.txt")).toBe(numbers({}));
  expect(await api.session.changes.query({ sessionId: session.id })).toEqual([]);
  expect(listed(session)).toEqual([]);
  await done({ type: "redo" });
  await done({ type: "redo" });
  expect(daemon.read("a.txt")).toBe(both);
  expect((await api.session.changes.query({ sessionId: session.id })).map(({ view }) => view?.hunks.length)).toEqual([2]);
  await done({ type: "undo", conversation: false });
  expect(daemon.read("a.txt")).toBe(numbers({}));
});
