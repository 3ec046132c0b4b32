import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { scriptFiles } from "./script-files.ts";

test("a place with the same script as the project has the same stamp, and one with a changed script another", () => {
  const root = mkdtempSync(path.join(tmpdir(), "baton-scripts-"));
  const [project, place] = [path.join(root, "project"), path.join(root, "place")];
  for (const folder of [project, place]) {
    mkdirSync(folder);
    writeFileSync(path.join(folder, "gate.sh"), "exit 2\n");
  }
  const stamps = (folder: string) => scriptFiles(["sh gate.sh"], { folder, project }, {});
  expect(stamps(project)).toHaveLength(1);
  expect(stamps(place)).toEqual(stamps(project));
  writeFileSync(path.join(place, "gate.sh"), "exit 0 # the agent was here\n");
  expect(stamps(place)).not.toEqual(stamps(project));
});
