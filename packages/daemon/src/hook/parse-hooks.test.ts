import { expect, test } from "vitest";
import type { HookFile } from "./hook-definition.ts";
import { parseHooks } from "./parse-hooks.ts";

const file: HookFile = { path: "/w/.claude/settings.json", label: "settings.json", layer: "project", dialect: "claude" };
const foreign = (content: unknown) => parseHooks(typeof content === "string" ? content : JSON.stringify(content), file, true);
const guard = { type: "command", command: "check.sh" };
const bash = (...hooks: object[]) => ({ hooks: { PreToolUse: [{ matcher: "Bash", hooks }] } });

test("a file may begin with a byte order mark", () => {
  const { hooks, problems } = foreign(`\uFEFF${JSON.stringify(bash(guard))}`);
  expect([hooks.length, problems]).toEqual([1, []]);
});

test("a file of another agent can turn its hooks off, and Baton's own has no such key", () => {
  const settings = { disableAllHooks: true, ...bash(guard) };
  const { hooks, problems } = foreign(settings);
  expect([hooks, problems.map(({ severity }) => severity)]).toEqual([[], ["warning"]]);
  expect(foreign({ ...settings, disableAllHooks: "no" }).hooks).toHaveLength(1);
  expect(parseHooks(JSON.stringify(settings), file, false).hooks).toHaveLength(1);
});

test("an unknown key has no effect in a file of another agent, and is a mistake in Baton's own", () => {
  const settings = bash({ ...guard, note: "why", shell: "bash" });
  const { hooks, problems } = foreign(settings);
  expect(hooks).toHaveLength(1);
  expect(problems).toMatchObject([{ severity: "warning", message: "Baton does not know note of this hook, so it has no effect." }]);
  expect(parseHooks(JSON.stringify(settings), file, false)).toMatchObject({ hooks: [], problems: [{ severity: "error" }] });
});

test.each([
  ["SubagentStart", "Baton has no event SubagentStart of Claude Code, so its hooks never run."],
  ["pretooluse", 'Baton has no event "pretooluse" for hooks. Did you mean PreToolUse?'],
])("the event %s", (event, message) => {
  expect(foreign({ hooks: { [event]: [] } }).problems).toMatchObject([{ severity: "warning", message }]);
});

test("an event with an object in place of a list is one problem", () => {
  expect(foreign({ hooks: { PreToolUse: { matcher: "Bash", hooks: [guard] } } })).toMatchObject({
    hooks: [],
    problems: [{ severity: "error", message: expect.stringContaining("must be a list") as unknown }],
  });
});

test("a hook without a type is named as such", () => {
  expect(foreign(bash({ command: "check.sh" })).problems).toMatchObject([{ message: 'This hook has no "type", so it is left out.' }]);
});
