import { existsSync, rmSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { refusalOf } from "@baton/core/client/rpc-errors";
import { TestDaemon } from "../support/daemon.ts";
import { script } from "../support/script.ts";
import type { TestSession } from "../support/session.ts";

const FILES = Array.from({ length: 5 }, (_, i) => `f${i}.txt`);
const write = (file: string, content: string) => ({ tool: "write_file", input: { path: file, content } });
const finished = ({ events }: TestSession) => events.filter(({ type }) => type === "undo.finished").length;

/** A turn that writes all files (`before` lists those that existed), and deletes gone.txt. */
async function worked() {
  const daemon = await TestDaemon.start({ config: { permissions: { edit: "allow" } } });
  for (const file of [...FILES.slice(0, 3), "gone.txt"]) daemon.write(file, `mine ${file}`);
  const calls = [...FILES.map((file) => write(file, `theirs ${file}`)), { tool: "delete_file", input: { path: "gone.txt" } }];
  const session = await daemon.session({
    model: script(daemon, [{ calls }, { text: "1" }, { calls: [write("f0.txt", "again")] }, { text: "2" }]),
  });
  await session.runTurn("go");
  const contents = () => [...FILES, "gone.txt"].map((file) => (existsSync(path.join(daemon.workspace, file)) ? daemon.read(file) : null));
  const doWish = async (wish: Parameters<TestSession["wish"]>[0]) => {
    const before = finished(session);
    await session.wish(wish);
    await session.until("the files", (each) => finished(each) > before);
  };
  return { daemon, session, contents, doWish };
}

const BEFORE = [...FILES.map((file, i) => (i < 3 ? `mine ${file}` : null)), "mine gone.txt"];
const AFTER = [...FILES.map((file) => `theirs ${file}`), null];
const undo = { type: "undo", conversation: false } as const;

test.each(FILES.map((_, i) => [[i]]).concat([[[0, 4]], [[0, 1, 2, 3]]]))(
  "files %j that were changed since then stay, and the others are restored and redone",
  async (touched) => {
    const { daemon, session, contents, doWish } = await worked();
    await using _ = daemon;
    for (const i of touched) daemon.write(FILES[i] ?? "", "somebody else");
    const with_ = (all: (string | null)[]) => all.map((content, i) => (touched.includes(i) ? "somebody else" : content));
    const refused = await session.wish(undo).catch(refusalOf);
    expect(refused).toMatchObject({ code: "undo_conflict" });
    expect(contents()).toEqual(with_(AFTER));
    await doWish({ ...undo, partial: true });
    expect(contents()).toEqual(with_(BEFORE));
    const last = session.events.findLast((event) => event.type === "undo.finished");
    expect(last?.left.map(({ path: file }) => file).toSorted()).toEqual(touched.map((i) => FILES[i]));
    await doWish({ type: "redo" });
    expect(contents()).toEqual(with_(AFTER));
    for (const i of touched) daemon.write(FILES[i] ?? "", `theirs ${FILES[i]}`);
    await doWish(undo);
    expect(contents()).toEqual(BEFORE);
  },
);

test("if every file was changed since then, an undo is refused", async () => {
  const { daemon, session } = await worked();
  await using _ = daemon;
  for (const file of [...FILES, "gone.txt"]) daemon.write(file, "somebody else");
  expect(await session.wish({ ...undo, partial: true }).catch(refusalOf)).toMatchObject({ code: "undo_conflict" });
});

test("a redo leaves files that were changed after the undo, and can be finished later", async () => {
  const { daemon, session, contents, doWish } = await worked();
  await using _ = daemon;
  await doWish(undo);
  daemon.write("f3.txt", "new");
  expect(await session.wish({ type: "redo" }).catch(refusalOf)).toMatchObject({ code: "undo_conflict" });
  await doWish({ type: "redo", partial: true });
  expect(contents()).toEqual(AFTER.map((content, i) => (i === 3 ? "new" : content)));
  rmSync(path.join(daemon.workspace, "f3.txt"));
  await doWish({ type: "redo" });
  expect(contents()).toEqual(AFTER);
  expect(await session.wish({ type: "redo" }).catch(refusalOf)).toMatchObject({ code: "nothing_to_redo" });
});

test("two turns can be undone and redone one after the other, even after a restart", async () => {
  const { daemon, session, contents, doWish } = await worked();
  await using _ = daemon;
  await session.runTurn("more");
  const last = contents();
  await doWish(undo);
  expect(contents()).toEqual(AFTER);
  await doWish(undo);
  expect(contents()).toEqual(BEFORE);
  await daemon.kill();
  await daemon.start();
  await doWish({ type: "redo" });
  expect(contents()).toEqual(AFTER);
  await doWish({ type: "redo" });
  expect(contents()).toEqual(last);
});
