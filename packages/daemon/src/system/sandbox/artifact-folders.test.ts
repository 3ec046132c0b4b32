import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { limitedFiles } from "../../permission/limited-files.ts";
import { artifactFolders, artifactsAmong } from "./artifact-folders.ts";

const NAMES = ["dist", "src", ".git", "node_modules"];
const free = { reads: false, edits: false, mayRead: () => true, mayEdit: () => true };

test("folders of build results are found three levels deep, whatever is above them", () => {
  const workspace = realpathSync(mkdtempSync(path.join(tmpdir(), "baton-artifacts-")));
  try {
    const paths = NAMES.flatMap((one) => NAMES.flatMap((two) => NAMES.flatMap((three) => NAMES.map((four) => [one, two, three, four]))));
    for (const names of paths) mkdirSync(path.join(workspace, ...names), { recursive: true });
    symlinkSync("src", path.join(workspace, "build"));
    const found = ["dist", "node_modules", "src/dist", "src/node_modules", "src/src/dist", "src/src/node_modules"].map((name) =>
      path.join(workspace, name),
    );
    expect(artifactFolders(workspace).sort()).toEqual(found);
    expect(artifactsAmong(workspace, limitedFiles(workspace, [], free).folders).sort()).toEqual(found);
  } finally {
    rmSync(workspace, { recursive: true, force: true });
  }
});
