import { expect, test } from "vitest";
import { script } from "./support/script.ts";
import { TestDaemon } from "./support/daemon.ts";

const call = (tool: string, input: unknown) => ({ tool, input });

test("the changes of a session and of one turn are read with their lines, and one file of them is restored", async () => {
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
  await session.prompt("go");
  await session.untilEnd();
  await session.prompt("again");
  await session.untilEnd(2);
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
  expect(first).toMatchObject({ path: "a.txt", elsewhere: false, view: { added: 1, removed: 1 } }); // though the second turn changed it again
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
