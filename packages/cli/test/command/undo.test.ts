import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { call, openSettledHome } from "../support/home.ts";
import { KEY } from "../support/terminal.ts";

const FILES = ["a.txt", "b.txt", "c.txt"];

async function worked() {
  const home = await openSettledHome();
  home.configure({ permissions: { edit: "allow" } });
  const at = (file: string) => path.join(home.workspace, file);
  for (const file of FILES) writeFileSync(at(file), "mine");
  const calls = FILES.map((file) => call("write_file", { path: file, content: "theirs" }));
  const model = home.script({ calls }, { text: "Done." }, { text: "And done." });
  await home.run(["run", "change them", "--model", model]);
  const [row] = JSON.parse((await home.run(["sessions", "--json"])).out) as { id: string }[];
  const read = () => FILES.map((file) => readFileSync(at(file), "utf8"));
  return { home, at, read, id: row?.id ?? "" };
}

test("undo names the files that block it, restores the others on request, and redo changes them again", async () => {
  const { home, at, read, id } = await worked();
  await using _ = home;
  writeFileSync(at("b.txt"), "somebody else");
  const blocked = await home.run(["undo", id]);
  expect(blocked.code).toBe(2);
  expect(blocked.out).toContain("b.txt: changed since; blocks the undo");
  expect(blocked.err).toContain("and change the other 2 files");
  expect(read()).toEqual(["theirs", "somebody else", "theirs"]);
  const done = await home.run(["undo", id, "--partial"]);
  expect(done).toMatchObject({ code: 0, out: expect.stringContaining("b.txt: changed since; left as it is") as unknown });
  expect(read()).toEqual(["mine", "somebody else", "mine"]);
  expect((await home.run(["redo", id])).code).toBe(0);
  expect(read()).toEqual(["theirs", "somebody else", "theirs"]);
});

test("prompts are chosen by number, and 1 is the newest", async () => {
  const { home, read, id } = await worked();
  await using _ = home;
  await home.run(["run", "say more", "--session", id]);
  expect((await home.run(["undo", id, "--list"])).out).toMatch(/1 {2}say more\n +2 {2}change them\n/);
  expect((await home.run(["undo", id, "--to", "9"])).err).toContain(`baton undo ${id} --list`);
  expect((await home.run(["undo", id, "--to", "2"])).code).toBe(0);
  expect(read()).toEqual(["mine", "mine", "mine"]);
});

test("the conversation is rewound even if no file changed since the prompt", async () => {
  const { home, read, id } = await worked();
  await using _ = home;
  await home.run(["run", "say more", "--session", id]);
  expect(await home.run(["undo", id, "--conversation", "--to", "1", "--preview"])).toMatchObject({ code: 0 });
  expect((await home.run(["show", id])).out).toContain("And done.");
  const undone = await home.run(["undo", id, "--conversation", "--to", "1"]);
  expect(undone).toMatchObject({
    code: 0,
    out: "The conversation is back to before this prompt. The agent has changed no files since then.\n",
  });
  expect((await home.run(["show", id])).out).not.toContain("And done.");
  expect(read()).toEqual(["theirs", "theirs", "theirs"]);
  expect((await home.run(["undo", id, "--to", "1"])).code).toBe(0); // now the newest prompt is the one that changed files
  expect(read()).toEqual(["mine", "mine", "mine"]);
});

test("the terminal offers to restore the other files, and /redo", async () => {
  const { home, at, read, id } = await worked();
  await using _ = home;
  writeFileSync(at("b.txt"), "somebody else");
  const terminal = home.terminal(["attach", id]);
  await terminal.until("Done.");
  terminal.press(`/undo${KEY.enter}`);
  await terminal.until("b.txt: changed since then, skipped");
  await terminal.until("1 the files, skipping the file that changed since then");
  terminal.press("1");
  await expect.poll(read).toEqual(["mine", "somebody else", "mine"]);
  terminal.press(`/redo${KEY.enter}`);
  await terminal.until("Redo the last undo?");
  terminal.press("1");
  await expect.poll(read).toEqual(["theirs", "somebody else", "theirs"]);
});
