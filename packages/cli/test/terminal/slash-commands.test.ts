import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { call, openSettledHome } from "../support/home.ts";
import { KEY } from "../support/terminal.ts";

const type = (text: string): string => `${text}${KEY.enter}`;

test("a prefix of a command name works, and an ambiguous prefix is explained", async () => {
  await using home = await openSettledHome();
  const terminal = home.terminal(["--model", home.script({ text: "" })], 120);
  await terminal.until("Say what you want done.");
  terminal.press(type("/mode pla"));
  await terminal.until("plan · scripted");
  terminal.press(type("/mode a"));
  await terminal.until("“a” is the start of architect or ask. Type more of it.".replaceAll(/[“”]/g, '"'));
  terminal.press(type("/mode nothing"));
  await terminal.until('There is no mode "nothing".');
  terminal.press(`/co${KEY.escape}`);
  terminal.press(KEY.enter);
  await terminal.until("/co is the start of /coordinate, /compact or /copy. Type more of it.");
});

test("a slash command is replaced by its text in the transcript, the title and the rewind", async () => {
  await using home = await openSettledHome();
  const commands = home.file("commands");
  mkdirSync(commands, { recursive: true });
  writeFileSync(path.join(commands, "long.md"), `---\ndescription: long\n---\n\n${"One line for $ARGUMENTS.\n".repeat(30)}`);
  const terminal = home.terminal(["--model", home.script({ text: "It is done." })], 100);
  await terminal.until("Say what you want done.");
  terminal.press(type("/long the docs"));
  await terminal.until("It is done.");
  expect(terminal.text()).toMatch(/› \/long the docs +\d\d:\d\d\n {2}sent as 30 lines of text\n/);
  expect(terminal.text()).not.toContain("One line for");
  const [session] = JSON.parse((await home.run(["sessions", "--json"])).out) as { id: string; title: string }[];
  expect(session?.title).toBe("/long the docs");
  expect((await home.run(["export", session?.id ?? ""])).out).toContain("One line for the docs.");
});

test("the picker of sessions lists those that need the user first", async () => {
  await using home = await openSettledHome();
  const asks = home.script({
    text: "",
    calls: [call("ask_followup_question", { question: "Which colour?", follow_up: [{ text: "Red" }] })],
  });
  await home.run(["run", "the old question", "--model", asks, "--on-request", "fail"]);
  await home.run(["run", "the newer session", "--model", home.script({ text: "Fine." })]);
  const terminal = home.terminal(["attach"], 100);
  await terminal.until("Open which session?");
  await terminal.until(/› the old question .*◆ needs you.*\n +the newer session/);
  expect((await home.run(["sessions"])).out).toMatch(/the old question[^]*the newer session/);
});
