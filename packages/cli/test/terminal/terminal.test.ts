import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { call, openHome, openSettledHome } from "../support/home.ts";
import { rewindToPrompt } from "../support/rewind-to-prompt.ts";
import { KEY } from "../support/terminal.ts";

const command = (text: string) => call("run_command", { command: text });
const colour = call("ask_followup_question", { question: "Which colour?", follow_up: [{ text: "Red" }, { text: "Blue" }] });

test("a digit answers an approval", async () => {
  await using home = await openSettledHome();
  const terminal = home.terminal([
    "--model",
    home.script({ text: "One command.", calls: [command("echo hi > out.txt")] }, { text: "It is done." }),
  ]);
  await terminal.prompt("go");
  await terminal.until("Run this command?");
  await terminal.until("your answer 1 2 3 4");
  terminal.press(KEY.enter);
  await terminal.until("Enter alone answers nothing");
  expect(existsSync(path.join(home.workspace, "out.txt"))).toBe(false);
  terminal.press("1");
  await terminal.until("It is done.");
  expect(readFileSync(path.join(home.workspace, "out.txt"), "utf8")).toBe("hi\n");
  expect(terminal.text()).toMatch(/│ allowed once by you, here, after \d+ s/);
});

test("a key that was typed before the approval appeared does not answer it", async () => {
  await using home = await openSettledHome();
  const terminal = home.terminal([
    "--model",
    home.script({ text: "One command.", calls: [command("echo hi > out.txt")] }, { text: "It is done." }),
  ]);
  await terminal.prompt("go");
  await terminal.until("◆ needs you");
  terminal.press("1");
  await terminal.until("too early");
  await terminal.until("your answer 1 2 3 4");
  expect(existsSync(path.join(home.workspace, "out.txt"))).toBe(false);
  terminal.press("d");
  await terminal.until("│ refused by you, here");
});

test("a denial can include a note", async () => {
  await using home = await openSettledHome();
  const terminal = home.terminal(["--model", home.script({ text: "", calls: [command("rm -rf build")] }, { text: "Then not." })]);
  await terminal.prompt("go");
  await terminal.until("your answer 1 2 3 4");
  terminal.press("n");
  await terminal.until("note for the agent · Enter saves it");
  terminal.press(`keep the build${KEY.enter}`);
  await terminal.until("will carry the note “keep the build”");
  terminal.press("d");
  await terminal.until("│ refused by you, here: “keep the build”");
  await terminal.until("Then not.");
});

test("a digit or a text of the user answers a question", async () => {
  await using home = await openSettledHome();
  const terminal = home.terminal(["--model", home.script({ calls: [colour] }, { calls: [colour] }, { text: "Thank you." })]);
  await terminal.prompt("go");
  await terminal.until("your answer 1 2, or type it");
  terminal.press("2");
  await terminal.until("answered “Blue” by you, here");
  await terminal.until("◆ Which colour?", 2);
  await terminal.until("your answer 1 2, or type it");
  terminal.press("Green");
  await terminal.until("› Green");
  terminal.press(KEY.enter);
  await terminal.until("answered “Green” by you, here");
  await terminal.until("Thank you.");
});

test("prompts queue and steer while the agent works, and Esc stops the turn", async () => {
  await using home = await openSettledHome();
  const slow = { text: "I think about it for a long time. ".repeat(20), stream: { characters: 3, everyMs: 30 } };
  const terminal = home.terminal(["--model", home.script(slow, slow)]);
  await terminal.prompt("go");
  await terminal.until("Esc stops");
  terminal.press(`and then this${KEY.enter}`);
  await terminal.until("queued › and then this");
  terminal.press(`look here first${KEY.altEnter}`);
  await terminal.until("steers › look here first");
  terminal.press(KEY.escape);
  await terminal.until("── stopped");
  await terminal.until("held › and then this");
  terminal.press(`/resume${KEY.enter}`);
  await terminal.until(/^› and then this/m);
});

test("Shift+Tab goes to the next mode", async () => {
  await using home = await openSettledHome();
  const terminal = home.terminal(["--model", home.script({ text: "Hello." })]);
  await terminal.prompt("go");
  await terminal.until("Hello.");
  terminal.press(KEY.shiftTab);
  await terminal.until(/── code → \w+ · you/);
});

test("a slash command from a file is suggested, filled in and sent, and an unknown command is reported", async () => {
  await using home = await openSettledHome();
  const folder = home.file("commands");
  mkdirSync(folder);
  writeFileSync(path.join(folder, "release.md"), "---\ndescription: Cut a release\n---\nRelease $1 today.\n");
  const terminal = home.terminal(["--model", home.script({ text: "Released." })]);
  await terminal.until("Say what you want done.");
  terminal.press("/rel");
  await terminal.until("› /release  Cut a release");
  terminal.press(`${KEY.tab}2.0${KEY.enter}`);
  await terminal.until("sent as “Release 2.0 today.”");
  await terminal.until("Released.");
  terminal.press(`/nothing${KEY.enter}`);
  await terminal.until(/There is no command \/nothing\. The commands are:[^.]*\/release/s);
});

test("a rewind by another client is reported, with the prompt that is now the last one", async () => {
  await using home = await openSettledHome();
  const terminal = home.terminal(["--model", home.script({ text: "Reply one." }, { text: "Reply two." })]);
  await terminal.prompt("first");
  await terminal.until("Reply one.");
  await terminal.prompt("second");
  await terminal.until("Reply two.");
  await rewindToPrompt(home, 1);
  await terminal.until("The session was taken back: its last prompt is now “first”.");
  await rewindToPrompt(home, 0);
  await terminal.until("The session was taken back to its beginning.");
});

test("Esc Esc returns to an earlier prompt and restores its files", async () => {
  await using home = await openSettledHome();
  writeFileSync(path.join(home.workspace, "a.txt"), "mine");
  const edit = call("edit_file", { path: "a.txt", old_text: "mine", new_text: "theirs" });
  const terminal = home.terminal(["--model", home.script({ text: "Hello." }, { calls: [edit] }, { text: "It is done." })]);
  await terminal.prompt("good day");
  await terminal.until("Hello.");
  terminal.press(`change it${KEY.enter}`);
  await terminal.until("your answer 1 2 3 4");
  terminal.press("1");
  await terminal.until("It is done.");
  terminal.press(KEY.escape);
  await terminal.until("Esc again goes back to an earlier prompt");
  terminal.press(KEY.escape);
  await terminal.until(/Rewind to before which prompt\?\s+1 change it\s+2 good day/);
  terminal.press("1");
  await terminal.until(/restore a\.txt\s+1 the conversation only; files stay\s+2 both\s+3 the files only/);
  terminal.press("2");
  await expect.poll(() => readFileSync(path.join(home.workspace, "a.txt"), "utf8")).toBe("mine");
  await terminal.until("› change it");
});

test("/undo restores the files that the newest turn changed, and Ctrl+O shows who answered", async () => {
  await using home = await openSettledHome();
  writeFileSync(path.join(home.workspace, "a.txt"), "mine");
  const edit = call("edit_file", { path: "a.txt", old_text: "mine", new_text: "theirs" });
  const terminal = home.terminal(["--model", home.script({ calls: [edit] }, { text: "It is done." })]);
  await terminal.until("Say what you want done.");
  terminal.press("/");
  await terminal.until(/1 of \d+, Up and Down/);
  terminal.press(KEY.up);
  await terminal.until("› /web");
  terminal.press(`\u007fchange it${KEY.enter}`);
  await terminal.until("Asks because");
  await terminal.until("your answer 1 2 3 4");
  terminal.press("1");
  await terminal.until("It is done.");
  terminal.press(KEY.ctrlO);
  await terminal.until("allowed once by you, here", 2);
  terminal.press(`/undo${KEY.enter}`);
  await terminal.until(/restore a\.txt\s+1 the files\s+2 the files, and rewind the conversation/);
  terminal.press("1");
  await expect.poll(() => readFileSync(path.join(home.workspace, "a.txt"), "utf8")).toBe("mine");
});

test("Ctrl+R finds earlier prompts, and Esc restores the line", async () => {
  await using home = await openSettledHome();
  const terminal = home.terminal(["--model", home.script({ text: "One." }, { text: "Two." }, { text: "Three." })]);
  await terminal.until("Say what you want done.");
  for (const [text, answer] of [
    ["paint the red door", "One."],
    ["paint the blue door", "Two."],
  ]) {
    terminal.press(`${text}${KEY.enter}`);
    await terminal.until(answer ?? "");
  }
  terminal.press("begun");
  await terminal.until("› begun");
  terminal.press("\u0012door");
  await terminal.until(/with “door” [^]*› paint the blue door$/);
  terminal.press("\u0012");
  await terminal.until(/with “door” [^]*› paint the red door$/);
  terminal.press(KEY.escape);
  await terminal.until(/› begun$/);
  terminal.press("\u0012blue");
  await terminal.until(/with “blue” [^]*› paint the blue door$/);
  terminal.press(KEY.enter + KEY.enter);
  await terminal.until("Three.");
});

test("a command after ! runs in the user's own shell, and its output is sent with the next prompt", async () => {
  await using home = await openSettledHome();
  const terminal = home.terminal(["--model", home.script({ text: "I see." })]);
  await terminal.prompt(`!echo "$HOME" | wc -l; exit 3`);
  await terminal.until("exit 3 · added to your next prompt");
  terminal.press(`look${KEY.enter}`);
  await terminal.until("I see.");
  const exported = (await home.run(["export", sessionOf((await home.run(["sessions", "--json"])).out)])).out;
  expect(exported).toContain("It ended with 3 and printed");
});

test("two terminals show one session, and the second answer names the first one", async () => {
  await using home = await openSettledHome();
  const one = home.terminal(["--model", home.script({ text: "One command.", calls: [command("echo hi")] }, { text: "It is done." })]);
  await one.prompt("go");
  await one.until("your answer 1 2 3 4");
  const id = sessionOf((await home.run(["sessions", "--json"])).out);
  const two = home.terminal(["attach", id], 60);
  await two.until("your answer 1 2 3 4");
  two.press("1");
  await one.until("This was answered by you, in another terminal: “Allow once”.");
  await one.until("It is done.");
  await two.until("It is done.");
  expect(two.text()).toContain("allowed once by you, here");
  expect(one.text()).toContain("allowed once by you, in another terminal");
});

test("a killed daemon restores the request, and the terminal continues", async () => {
  await using home = await openSettledHome();
  const terminal = home.terminal([
    "--model",
    home.script({ text: "One command.", calls: [command("echo again > out.txt")] }, { text: "It is done." }),
  ]);
  await terminal.prompt("go");
  await terminal.until("your answer 1 2 3 4");
  const before = home.daemonPid();
  process.kill(before, "SIGKILL");
  await terminal.until("not connected");
  await terminal.until("your answer 1 2 3 4");
  terminal.press("1");
  await terminal.until("It is done.");
  expect(home.daemonPid()).not.toBe(before);
  expect(readFileSync(path.join(home.workspace, "out.txt"), "utf8")).toBe("again\n");
});

test("an edit is shown as a diff before it is made", async () => {
  await using home = await openSettledHome();
  writeFileSync(path.join(home.workspace, "a.txt"), "one\ntwo\n");
  const terminal = home.terminal([
    "--model",
    home.script({ calls: [call("edit_file", { path: "a.txt", old_text: "two", new_text: "three" })] }, { text: "It is done." }),
  ]);
  await terminal.prompt("go");
  await terminal.until("Change this file?");
  await terminal.until("2 - two");
  await terminal.until("2 + three");
  await terminal.until("your answer");
  expect(readFileSync(path.join(home.workspace, "a.txt"), "utf8")).toBe("one\ntwo\n");
  terminal.press("1");
  await terminal.until("It is done.");
  expect(readFileSync(path.join(home.workspace, "a.txt"), "utf8")).toBe("one\nthree\n");
});

test("a terminal without colours and without redraw prints one line per fact", async () => {
  await using home = await openSettledHome();
  const terminal = home.terminal(
    ["--model", home.script({ text: "One command.", calls: [command("echo hi")] }, { text: "It is done." })],
    80,
    { TERM: "dumb" },
  );
  terminal.press(`go${KEY.enter}`);
  await terminal.until("[needs you 1 of 1] run");
  await terminal.until("1 once, 2 session, 3 workspace, 4 deny");
  terminal.press(`1${KEY.enter}`);
  await terminal.until("[ok] run: echo hi");
  await terminal.until("It is done.");
});

test("the client restores the terminal when it ends", async () => {
  await using home = await openSettledHome();
  const terminal = home.terminal(["--model", home.script({ text: "Hello." })]);
  await terminal.until("Say what you want done.");
  terminal.press(KEY.ctrlC);
  await terminal.until("Ctrl+C again leaves");
  terminal.press(KEY.ctrlC);
  expect(await terminal.exited).toBe(0);
  expect(terminal.text().trimEnd().endsWith("? keys")).toBe(true);
});

/** The id of the only session in a list. */
function sessionOf(json: string): string {
  const id = /"id":"([a-z0-9.]+)"/.exec(json)?.[1];
  if (id === undefined) throw new Error(`there is no session in ${json}`);
  return id;
}

test("the user can see all of a long output, and not only its first and last lines", async () => {
  await using home = await openSettledHome();
  const terminal = home.terminal(["--model", home.script({ calls: [command("seq -f %0100.0f 1 3000")] }, { text: "Counted." })]);
  await terminal.prompt("go");
  await terminal.until("your answer 1 2 3 4");
  terminal.press("1");
  await terminal.until("Counted.");
  expect(terminal.text()).not.toContain("001500");
  terminal.press(KEY.ctrlO);
  await terminal.until("001500");
});

test("Baton asks about a new folder once, while the work continues", async () => {
  await using home = openHome();
  const model = home.script({ text: "Hello." }, { text: "Again." });
  const terminal = home.terminal(["--model", model]);
  await terminal.until("code");
  terminal.press(`hi${KEY.enter}`);
  await terminal.until("Hello.");
  await terminal.until(/^› hi\b[^]*^◆ Do you trust what is in/m);
  await terminal.until("your answer 1 2");
  terminal.press("1");
  await expect.poll(async () => (await home.run(["trust", "--status", "--json"])).out).toContain('"trust":"trusted"');
});

test("a project's commands appear once its folder is trusted, waiting prompts can be dropped, and another session is listed separately", async () => {
  await using home = openHome();
  mkdirSync(path.join(home.workspace, ".claude", "commands"), { recursive: true });
  writeFileSync(path.join(home.workspace, ".claude", "commands", "review.md"), "Review it.");
  const slow = home.script({ text: "One.", delayMs: 60_000 }, { text: "Reviewed." });
  const terminal = home.terminal(["--model", slow]);
  await terminal.prompt("hi");
  await terminal.until("Do you trust what is in");
  await terminal.until("your answer 1 2");
  terminal.press("1");
  await terminal.until("Trust this folder? “Trust it”, by you, here.");
  terminal.press(`queue A${KEY.enter}`);
  await terminal.until("queued › queue A");
  terminal.press(KEY.escape);
  await terminal.until("held › queue A");
  terminal.press(`/discard${KEY.enter}`);
  await terminal.until("Discarded: “queue A”.");
  terminal.press("/rev");
  await terminal.until("› /review");
  terminal.press(`\u0015/new${KEY.enter}`);
  await terminal.until("── a new session;");
  terminal.press(`/sessions${KEY.enter}`);
  await terminal.until("Open which session?");
  terminal.press("hi");
  await terminal.until("filter: hi");
  terminal.press(KEY.enter);
  await terminal.until("› hi", 2);
});

test("the output of a subcommand is shown after a slash for this session, and a command file of that name takes precedence", async () => {
  await using home = await openSettledHome();
  const terminal = home.terminal(["--model", home.script({ text: "Hello." }, { text: "From the file." })]);
  await terminal.prompt("hi");
  await terminal.until("Hello.");
  terminal.press(`/usage${KEY.enter}`);
  await terminal.until(/ 1 .*\$0\.00.*hi/);
  terminal.press(`/mcp${KEY.enter}`);
  await terminal.until("No MCP server is configured here.");
  terminal.press(`/toolsets unequip${KEY.enter}`);
  await terminal.until("The session gets"); // and not the clients of a profile
  mkdirSync(home.file("commands"));
  writeFileSync(home.file("commands", "doctor.md"), "See what is wrong.");
  writeFileSync(home.file("commands", "zebra.md"), "Draw one.");
  const next = home.terminal(["--model", home.script({ text: "From the file." })]);
  await next.until("Say what you want done.");
  next.press("/zeb");
  await next.until("› /zebra"); // the commands from files are loaded from here on
  next.press(`${"\u007f".repeat(3)}doctor${KEY.enter}`);
  await next.until("From the file.");
});

test("a mode's own model is visible as soon as the user chooses the mode, and that model answers", async () => {
  await using home = await openSettledHome();
  const [usual, own] = [home.script({ text: "" }, { text: "From the usual one." }), home.script({ text: "From the one of plan." })];
  const config = { model: usual, modes: { plan: { model: own } } };
  home.configure(config);
  const terminal = home.terminal([]);
  await terminal.until("code · scripted script-1");
  terminal.press(`/mode plan${KEY.enter}`);
  await terminal.until("plan · scripted script-2");
  terminal.press(`go${KEY.enter}`);
  await terminal.until("From the one of plan.");
  terminal.press(`/mode code${KEY.enter}`);
  await terminal.until("code · scripted script-1");
  terminal.press(`go${KEY.enter}`);
  await terminal.until("From the usual one.");
  expect(terminal.text()).toContain("· model scripted");
});

test.each(["a folder", "nothing that may be written"])("a history that is %s stops nothing, and no prompt is lost", async (what) => {
  await using home = await openSettledHome();
  const file = home.file("history.jsonl");
  if (what === "a folder") mkdirSync(file);
  else symlinkSync("/proc/version", file);
  const terminal = home.terminal(["--model", home.script({ text: "One." }, { text: "Two." })]);
  await terminal.prompt("first");
  await terminal.until("The prompt history cannot be saved");
  await terminal.until("One.");
  terminal.press(`second${KEY.enter}`);
  await terminal.until("Two.");
  terminal.press(KEY.up);
  await terminal.until("second", 2);
  expect(terminal.text().match(/cannot be saved/g)).toHaveLength(1);
});

test("Tab goes to a request of another session, and the client repeats the answer in the words of its choice", async () => {
  await using home = await openSettledHome();
  const model = home.script({ calls: [call("run_command", { command: "mkdir made" })] }, { text: "Made." });
  expect((await home.run(["run", "first", "--model", model, "--on-request", "fail"])).code).toBe(3);
  const terminal = home.terminal(["--model", model]);
  await terminal.until("Tab answers");
  terminal.press("\t");
  await terminal.until(/in first · /);
  await terminal.until("your answer 1 2 3 4");
  terminal.press("1");
  await terminal.until("Answered “Allow once” in “first”.");
});
