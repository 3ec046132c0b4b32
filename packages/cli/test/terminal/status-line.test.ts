import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { openSettledHome, type Home } from "../support/home.ts";
import { KEY } from "../support/terminal.ts";

const setCommand = (home: Home, command: string): void => home.configure({ terminal: { statusLine: { command } } });

/** A script for the status line of Claude Code: it reads the JSON and prints some of it with colors. */
const SCRIPT = `#!/bin/sh
node -e '
  const s = JSON.parse(require("fs").readFileSync(0, "utf8"));
  const folder = s.workspace.current_dir.split("/").pop();
  console.log("\\u001b[31m[" + s.model.display_name + "]\\u001b[2J " + folder + " in=" + s.context_window.total_input_tokens + " $" + s.cost.total_cost_usd + " " + s.mode + "/" + s.requests);
  console.log("never shown");
'
`;

test("the status line shows the first line of the command with the state of the session", async () => {
  await using home = await openSettledHome();
  const script = path.join(home.workspace, "..", "status.sh");
  writeFileSync(script, SCRIPT);
  chmodSync(script, 0o755);
  setCommand(home, script);
  const terminal = home.terminal(["--model", home.script({ text: "It is done." })], 100);
  await terminal.until("code · [scripted script-1] work in=0 $0 code/0");
  terminal.press(`go${KEY.enter}`);
  await terminal.until("It is done.");
  terminal.press(KEY.shiftTab);
  await terminal.until("architect · [scripted script-1] work in=0 $0 architect/0");
  expect(terminal.text()).not.toContain("never shown");
});

test("a command that hangs is reported once, and the usual line is shown", async () => {
  await using home = await openSettledHome();
  setCommand(home, "sleep 60");
  const terminal = home.terminal(["--model", home.script({ text: "It is done." })]);
  await terminal.until("The command of the status line failed: it took longer than 2 s. Baton shows its own line.");
  await terminal.until("code · scripted script-1 · $0.00");
  terminal.press(`go${KEY.enter}`);
  await terminal.until("It is done.");
});

test("a project cannot set the command", async () => {
  await using home = await openSettledHome();
  mkdirSync(path.join(home.workspace, ".baton"));
  const config = JSON.stringify({ terminal: { statusLine: { command: "echo from-the-project" } } });
  writeFileSync(path.join(home.workspace, ".baton", "config.jsonc"), config);
  await home.run(["trust"]);
  const terminal = home.terminal(["--model", home.script({ text: "It is done." })]);
  await terminal.until("code · scripted script-1 · $0.00");
  terminal.press(`go${KEY.enter}`);
  await terminal.until("It is done.");
  expect(terminal.text()).not.toContain("from-the-project");
});
