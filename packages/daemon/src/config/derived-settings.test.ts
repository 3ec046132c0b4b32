import { code } from "@baton/core/mode/builtin/code";
import { expect, test } from "vitest";
import { defaultModeProblem } from "./derived-settings.ts";

const modes = [code, { ...code, slug: "helper", kind: "subagent" as const }];
const faults = (defaultMode?: string) =>
  defaultModeProblem({ config: defaultMode === undefined ? {} : { defaultMode }, lines: { defaultMode: 3 } }, "config.jsonc", modes);

test("a default mode that no session can begin in is reported at its line", () => {
  expect([faults(), faults("code")]).toEqual([[], []]);
  expect(faults("helper")).toMatchObject([
    { line: 3, severity: "warning", message: expect.stringContaining("only for subtasks") as string },
  ]);
  expect(faults("nope")).toMatchObject([{ message: expect.stringContaining("no such mode") as string }]);
});
