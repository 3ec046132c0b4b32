import { expect, test } from "vitest";
import { call, openSettledHome, type Home } from "../support/home.ts";
import { KEY } from "../support/terminal.ts";

const CTRL_Y = "\u0019";
const F2 = "\u001bOQ";

const setTerminal = (home: Home, terminal: object): void => home.configure({ terminal });

test("the terminal, its hints and its help use the keys of the settings", async () => {
  await using home = await openSettledHome();
  setTerminal(home, { keys: { send: "ctrl+j", newLine: "enter", nextMode: "f2", inbox: ["ctrl+y"], transcript: [] } });
  const terminal = home.terminal(["--model", home.script({ text: "It is done." })]);
  await terminal.until("/ command F2 mode ? keys");
  terminal.press(F2);
  await terminal.until("architect · scripted");
  terminal.press(CTRL_Y);
  await terminal.until("Nothing needs you");
  terminal.press(KEY.ctrlG);
  terminal.press(`one${KEY.enter}two`);
  await terminal.until(/› one\n {2}two/);
  terminal.press("\n");
  await terminal.until("It is done.");
  terminal.press("/keys");
  terminal.press("\n");
  await terminal.until(/Ctrl\+Y +inbox: all open requests/);
  expect(terminal.text()).toMatch(/ Ctrl\+J +sends; queues during a turn/);
  expect(terminal.text()).not.toContain("the whole session in your pager");
  expect(terminal.text().match(/Nothing needs you/g)).toHaveLength(1);
});

test("the keys of the settings answer and postpone a request", async () => {
  await using home = await openSettledHome();
  setTerminal(home, { keys: { cancel: "f2" } });
  const terminal = home.terminal([
    "--model",
    home.script({ text: "", calls: [call("run_command", { command: "echo hi" })] }, { text: "" }),
  ]);
  await terminal.prompt("go");
  await terminal.until("v full text F2 later");
  await terminal.until("your answer 1 2 3 4 · F2 later");
  terminal.press(F2);
  await terminal.until("F2 stops");
});

test("invalid keys are reported at the start, and the default keys stay", async () => {
  await using home = await openSettledHome();
  setTerminal(home, { keys: { inbox: "ctrl+r" } });
  const terminal = home.terminal(["--model", home.script({ text: "" })]);
  await terminal.until("terminal.keys.inbox: Ctrl+R is by default the key of searchHistory, too.");
  await terminal.until("Shift+Tab mode");
  const { code, out } = await home.run(["help", "keys"]);
  expect({ code, out }).toMatchObject({ code: 0, out: expect.stringMatching(/Ctrl\+G +inbox/) as unknown });
});

test("`baton help keys` shows the keys that are in effect", async () => {
  await using home = await openSettledHome();
  setTerminal(home, { keys: { inbox: ["f5", "alt+i"] } });
  expect((await home.run(["help", "keys"])).out).toMatch(/^ {2}F5, Alt\+I +inbox: all open requests$/m);
});

test("the prompt supports the keys of vi", async () => {
  await using home = await openSettledHome();
  setTerminal(home, { vim: true });
  const terminal = home.terminal(["--model", home.script({ text: "It is done." }, { text: "And again." })]);
  await terminal.until("Say what you want done.");
  terminal.press("fix the old test");
  await terminal.until("› fix the old test");
  terminal.press(KEY.escape);
  await terminal.until("NORMAL · scripted");
  terminal.press("bbd");
  await terminal.until("NORMAL d · scripted");
  terminal.press("w");
  await terminal.until(/› fix the test$/m);
  terminal.press("0cwrun");
  await terminal.until(/› run the test$/m);
  expect(terminal.text()).not.toContain("NORMAL");
  terminal.press(KEY.escape);
  await terminal.until("NORMAL · scripted");
  terminal.press("ve");
  await terminal.until("VISUAL · scripted");
  terminal.press(KEY.escape);
  await terminal.until("NORMAL · scripted");
  terminal.press(KEY.enter);
  await terminal.until("It is done.");
  terminal.press(`again${KEY.escape}`);
  await terminal.until("NORMAL · scripted");
  terminal.press("kj");
  terminal.press("k");
  await terminal.until(/› run the test$/m);
  terminal.press(`A soon${KEY.enter}`);
  await terminal.until("And again.");
  expect(terminal.text()).toContain("› run the test soon");
});

test("with the keys of vi, digits answer a request while the prompt is empty, and Esc stops a turn", async () => {
  await using home = await openSettledHome();
  setTerminal(home, { vim: true });
  const terminal = home.terminal([
    "--model",
    home.script({ text: "", calls: [call("run_command", { command: "echo hi" })] }, { text: "Answered.", delayMs: 20_000 }),
  ]);
  await terminal.prompt("go");
  await terminal.until("your answer 1 2 3 4");
  terminal.press("1");
  await terminal.until("allowed once by you");
  await terminal.until("Esc stops");
  terminal.press(KEY.escape);
  await terminal.until("NORMAL");
  terminal.press(KEY.escape);
  await terminal.until(/stopped|interrupted/);
});
