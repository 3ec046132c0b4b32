import { expect, test } from "vitest";
import { TerminalNotifier, notification } from "./terminal-notifier.ts";

const request = (id: string, title = "Run npm test") => ({ id, title });

function open(env: Record<string, string> = {}) {
  let time = 0;
  const written: string[] = [];
  const attention = new TerminalNotifier({ write: (sequence) => written.push(sequence), env, now: () => time, folder: "app" });
  return { attention, take: () => written.splice(0), wait: (ms: number) => (time += ms) };
}

test("a new request rings only while the user looks at something else", () => {
  const { attention, take } = open();
  attention.setFocused(true);
  attention.update({ requests: [request("a")], turn: 0, session: "s" });
  expect(take()).not.toContain("\u0007");
  attention.setFocused(false);
  attention.update({ requests: [request("a"), request("b")], turn: 0, session: "s" });
  expect(take()).toContain("\u0007");
  attention.update({ requests: [request("a"), request("b")], turn: 0, session: "s" });
  expect(take()).toEqual([]);
});

test("without focus reports, a user who pressed a key recently counts as looking", () => {
  const { attention, take, wait } = open();
  attention.update({ requests: [request("a")], turn: undefined, session: "s" });
  expect(take()).not.toContain("\u0007");
  wait(30_000);
  attention.update({ requests: [request("a"), request("b")], turn: undefined, session: "s" });
  expect(take()).toContain("\u0007");
});

test("the end of a long turn sends a notification, and the end of a short one does not", () => {
  for (const [took, rings] of [
    [60_000, true],
    [1_000, false],
  ] as const) {
    const { attention, take, wait } = open();
    attention.setFocused(false);
    attention.update({ requests: [], turn: 0, session: "s" });
    wait(took);
    attention.update({ requests: [], turn: undefined, session: "s" });
    expect(take().includes("\u0007")).toBe(rings);
  }
});

test("the title shows the number of requests, and Baton restores the shell's title", () => {
  const { attention, take } = open();
  attention.update({ requests: [request("a"), request("b")], turn: undefined, session: "s" });
  expect(take().join("")).toContain("\u001b]2;(2) baton · app\u0007");
  attention.close();
  expect(take()).toEqual(["\u001b[23;2t"]);
});

test("notifications and the title can be turned off", () => {
  const { attention, take } = open();
  attention.configure({ notifications: "off", title: false });
  attention.setFocused(false);
  attention.update({ requests: [request("a")], turn: undefined, session: "s" });
  expect(take()).toEqual([]);
});

test.each([
  [{ KITTY_WINDOW_ID: "1" }, "]99;"],
  [{ TERM_PROGRAM: "WezTerm" }, "]9;"],
  [{ VTE_VERSION: "7000" }, "]777;notify;"],
  [{ TERM_PROGRAM: "iTerm.app", TMUX: "x" }, "\u0007"],
])("in %o the notification is %s", (env, part) => expect(notification("Baton needs you", "Run it", env)).toContain(part));

test("a title with control characters cannot end the sequence", () => {
  const sequence = notification("Baton", "a\u0007b\u001b]0;evil\u0007", { TERM_PROGRAM: "WezTerm" });
  for (const character of ["\u0007", "\u001b"]) expect(sequence.slice(2, -2)).not.toContain(character);
});
