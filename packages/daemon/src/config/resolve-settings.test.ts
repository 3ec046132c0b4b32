import { code } from "@baton/core/mode/builtin/code";
import { expect, test } from "vitest";
import { defaultModeProblem, unsetVariableProblems } from "./resolve-settings.ts";

const modes = [code, { ...code, slug: "helper", kind: "subagent" as const }];
const faults = (defaultMode?: string) =>
  defaultModeProblem({ config: defaultMode === undefined ? {} : { defaultMode }, lines: { defaultMode: 3 } }, "config.jsonc", modes);

test("a default mode in which no session can start is reported at its line", () => {
  expect([faults(), faults("code")]).toEqual([[], []]);
  expect(faults("helper")).toMatchObject([
    { line: 3, severity: "warning", message: expect.stringContaining("only for subtasks") as string },
  ]);
  expect(faults("nope")).toMatchObject([{ message: expect.stringContaining("no such mode") as string }]);
});

test("a variable that a key or a header names and that is not set is reported", () => {
  const config = {
    providers: {
      work: { kind: "openai" as const, apiKey: "{env:WORK_KEY}", headers: { "x-team": "{env:TEAM}", "x-plain": "plain" }, models: {} },
      set: { kind: "openai" as const, apiKey: "{env:SET}", models: {} },
    },
    webSearch: { service: "brave" as const, key: "{env:EMPTY}" },
  };
  const found = unsetVariableProblems({ file: "config.jsonc", config, lines: { providers: 2, webSearch: 9 } }, { SET: "k", EMPTY: "" });
  expect(found.map(({ line, severity, message }) => [line, severity, message.replace(/ Set it.*/, "")])).toEqual([
    [2, "warning", "providers.work.apiKey: the variable WORK_KEY is not set in the daemon's environment, so this is ignored."],
    [2, "warning", "providers.work.headers.x-team: the variable TEAM is not set in the daemon's environment, so this is empty."],
    [9, "warning", "webSearch.key: the variable EMPTY is not set in the daemon's environment, so this is ignored."],
  ]);
});
