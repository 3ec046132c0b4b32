import { expect, test } from "vitest";
import { Folder } from "../../../test/support/folder.ts";
import type { AccessVerdict } from "@baton/core/protocol/rule";
import { gate } from "../../permission/gate.ts";
import { areProgramsJudged, getsProjectPrograms } from "./check-project-programs.ts";

const python = new Map([["python", ".venv/bin/python"]]);
const none = new Map<string, string>();

test.for([
  ["python app.py", python, python, true],
  ["python app.py", none, python, false],
  ["python app.py", none, none, true],
  ["python app.py", python, none, true],
  ["ls && cd src && python app.py", none, python, false],
  ["ls && cd src && python app.py", python, python, true],
  ["find . -name '*.py' | xargs python", none, python, false],
  ["env CI=1 timeout 5 python app.py", none, python, false],
  ["echo python", none, python, true],
  ["./python app.py", none, python, true],
  ["python app.py", python, new Map([["python", "venv/bin/python"]]), false],
] as const)("%s", async ([command, before, now, expected]) => {
  using folder = new Folder();
  await folder.write("src/app.py", "");
  const context = { workspace: folder.path, ownRoots: [], trusted: true };
  const judged = gate({ action: "command", resource: command }, { ...context, programs: before });
  if ("refused" in judged) throw new Error(judged.refused);
  expect(areProgramsJudged(command, judged, now, gate, context)).toBe(expected);
});

const part = (resource: string, effect: "allow" | "ask", layer: "defaults" | "user", action = "command"): AccessVerdict => ({
  action: "command",
  resource,
  effect,
  rule: { action, resource: "*", effect, layer, source: "a test" },
});

test("a command that needs no approval because it only reads gets no programs of the project, unless it starts nothing", () => {
  const reading = part("npm ls", "allow", "defaults");
  const found = [
    [reading],
    [reading, part("git add a.ts", "allow", "user")],
    [part("git status", "allow", "defaults"), part("which node", "allow", "defaults")],
    [part("git status", "allow", "defaults"), part("make", "allow", "user")],
    [reading, part("make", "ask", "defaults")],
    [reading, part("make", "allow", "defaults", "sandbox")],
  ].map(getsProjectPrograms);
  expect(found).toEqual([false, false, true, true, true, true]);
});
