import { expect, test } from "vitest";
import { Folder } from "../../test/support/folder.ts";
import { gate } from "../permission/gate.ts";
import { areProgramsJudged } from "./judged-programs.ts";

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
