import { writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { openHome } from "../support/home.ts";
import { objectOf } from "../support/json-lines.ts";

test("wrong usage gets exit code 2 and a sentence with the next step", async () => {
  await using home = openHome();
  const model = home.script({ text: "x" });
  writeFileSync(path.join(home.workspace, "file"), "");
  const wrong: [string[], string][] = [
    [["run", "go", "--model", model, "--mode", "nix"], 'There is no mode "nix". The modes are: code'],
    [["run", "go", "--model", "nix"], 'There is no model "nix".'],
    [["run", "go"], "No model is configured."],
    [["run", "go", "--model", model, "--session", "zzzz"], "There is no session zzzz. `baton sessions` lists them."],
    [["run", "go", "--model", model, "--cwd", "file"], "is not a folder. Name the folder to work in."],
    [["run", "go", "--model", model, "--cwd", "nowhere"], "There is no folder"],
    [["run", "go", "--on-request", "perhaps"], "Allowed choices are wait, deny, fail, allow"],
    [["answer", "nothing-s1", "once"], "There is no request nothing-s1. `baton inbox` lists the open ones."],
    [["show", "zzzz"], "There is no session zzzz."],
    [["sessions", "--now"], "baton: unknown option '--now'\n`baton sessions --help` lists the arguments and options.\n"],
    [["background", "attach"], "baton: missing required argument 'session'\n`baton background attach --help` lists"],
    [["--model", model, "start"], 'There is no folder start here. Name an existing folder. If it is your prompt, write: baton . "start"'],
    [["fix the test"], 'Use `baton run "your task"` instead.'],
    [["run", "/nosuch now", "--model", model], "There is no command /nosuch."],
    [["frobnicate", "--now"], 'There is no command "frobnicate", and no folder with that name.'],
    [["permisions"], 'There is no command "permisions", and no folder with that name. Did you mean `baton permissions`?'],
    [["privacy"], "`baton help privacy` prints the page about it."],
    [["help", "permisions"], "Did you mean `baton help permissions`"],
    [["daemon", "lgos"], "There is no command `baton daemon lgos`. Did you mean `baton daemon logs`?"],
    [["permissions", "check", "--action", "comand", "--resource", "ls"], 'There is no action "comand". Did you mean "command"?'],
    [["auth", "login", "antropic"], "There is no provider antropic. Did you mean anthropic? The providers are: anthropic, "],
    [["run", "go", "--model", "antropic/x"], "There is no provider antropic. Did you mean anthropic?"],
    [["answer", "x-s1", "once", "--rule", '{"action":"command"}'], "--rule is invalid: resource is missing, effect is missing."],
  ];
  for (const [args, says] of wrong) {
    const { code, err, out } = await home.run(args);
    expect({ args, code, says: err.includes(says) ? says : err, out }).toEqual({ args, code: 2, says, out: "" });
  }
});

test("help prints the packed pages, their list, and the help of commands", async () => {
  await using home = openHome();
  const outputOf = async (...words: string[]) => (await home.run(["help", ...words])).out;
  expect(await outputOf("privacy")).toMatch(/^Privacy\n\nBaton sends no telemetry/);
  expect(await outputOf("topics")).toMatch(/^ {2}guides\/undo +Undo, redo and rewind$/m);
  expect(await outputOf("mcp", "add")).toMatch(/^Usage: baton mcp add /);
});

test("a broken config is reported with its position, and everything else works", async () => {
  await using home = openHome();
  writeFileSync(home.file("config.jsonc"), '{\n  "modle": "a/b"\n}\n');
  await home.run(["daemon", "start"]);
  const { code, out } = await home.run(["doctor"]);
  expect(code).toBe(1);
  const flat = out.replace(/\s+/g, " ");
  expect(flat).toContain('✗ config ~/home/config.jsonc:2:3 Unknown key "modle". Did you mean "model"? Fix it there;');
  expect(flat).not.toContain("✓ config");
  const { properties } = objectOf((await home.run(["config", "schema"])).out);
  expect(properties).toMatchObject({ model: { type: "string" }, mcpServers: { type: "object" } });
});
