import { expect, test } from "vitest";
import { multiCommandRuleProblem, allowedPreamble, preambleRule } from "./shell-preamble.ts";
import type { SourcedRule } from "../protocol/rule.ts";

const allow = (resource: SourcedRule["resource"]): SourcedRule => ({
  action: "command",
  resource,
  effect: "allow",
  layer: "user",
  source: "t",
});

const ACTIVATE = ". .venv/bin/activate && ";
test.each([
  [`${ACTIVATE}*`, `${ACTIVATE}pytest`, ACTIVATE],
  ["source env/bin/activate; *", "source env/bin/activate; make", "source env/bin/activate; "],
  [`export A=1; ${ACTIVATE}*`, `export A=1; ${ACTIVATE}x`, `export A=1; ${ACTIVATE}`],
  [`${ACTIVATE}*`, ". other/activate && pytest", undefined],
  [`${ACTIVATE}*`, ". .venv/bin/activate; pytest", undefined],
  [`${ACTIVATE}pytest *`, `${ACTIVATE}pytest`, undefined],
  [". * && *", `${ACTIVATE}pytest`, undefined],
  ["cd / && *", "cd / && ls", undefined],
  ["ls && *", "ls && rm x", undefined],
  ["export HOME=/x; *", "export HOME=/x; ls ~", undefined],
  ["export BASH_ENV=x && *", "export BASH_ENV=x && ls", undefined],
  ["export A=$(rm x); *", "export A=$(rm x); ls", undefined],
  ["export A=1 & *", "export A=1 & ls", undefined],
  ["*", "export A=1; ls", undefined],
])("with the rule %s, the leading part of %s is %s", (resource, command, lead) => {
  expect(allowedPreamble(command, [allow(resource)], "run_command")?.lead).toBe(lead);
});

test("an exact text, another action or another effect has no leading part", () => {
  const command = `${ACTIVATE}pytest`;
  expect(allowedPreamble(command, [allow({ exact: `${ACTIVATE}*` })], "run_command")).toBeUndefined();
  expect(allowedPreamble(command, [{ ...allow(`${ACTIVATE}*`), effect: "deny" }], "run_command")).toBeUndefined();
  expect(allowedPreamble(command, [{ ...allow(`${ACTIVATE}*`), action: "edit" }], "run_command")).toBeUndefined();
});

test("for a command that sets up the shell, Baton proposes the form that would apply", () => {
  expect(preambleRule(`${ACTIVATE}pytest -q`)?.resource).toBe(`${ACTIVATE}*`);
  expect(preambleRule("pytest")).toBeUndefined();
});

test.each([
  ["git add * && git commit *", true],
  ["cat * | sh", true],
  ["make; *", true],
  [`${ACTIVATE}*`, false],
  ["git push *", false],
  ["git add a && git commit", false],
])("%s never applies: %s", (resource, never) => {
  expect(multiCommandRuleProblem(allow(resource)) !== undefined).toBe(never);
  expect(multiCommandRuleProblem({ ...allow(resource), effect: "deny" })).toBeUndefined();
});
