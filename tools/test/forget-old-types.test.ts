import { globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { forgetOldTypes } from "../forget-old-types.ts";

test("types and modules of sources that were moved are removed, and nothing else", () => {
  const root = mkdtempSync(path.join(tmpdir(), "baton-types-"));
  const write = (...files: string[]) => {
    for (const file of files) {
      mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
      writeFileSync(path.join(root, file), "");
    }
  };
  write("src/a/here.ts", "src/view.tsx");
  write("dist/a/here.d.ts", "dist/a/here.js", "dist/view.d.ts", "dist/src.tsbuildinfo", "dist/page.js");
  write("dist/moved.d.ts", "dist/moved.d.ts.map", "dist/moved.js", "dist/moved.js.map", "dist/a/gone.d.ts");
  forgetOldTypes(path.join(root, "src"), path.join(root, "dist"));
  const left = globSync("dist/**/*.*", { cwd: root }).map((file) => file.replaceAll(path.sep, "/"));
  expect(left.toSorted()).toEqual(["dist/a/here.d.ts", "dist/a/here.js", "dist/page.js", "dist/src.tsbuildinfo", "dist/view.d.ts"]);
  rmSync(root, { recursive: true });
});
