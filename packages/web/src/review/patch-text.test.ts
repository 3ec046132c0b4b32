import type { DiffView } from "@baton/core/protocol/tool-view";
import { expect, test } from "vitest";
import { patchText } from "./patch-text.ts";

const view = (more: Partial<DiffView>): DiffView => ({
  type: "diff",
  path: "a.txt",
  change: "change",
  added: 1,
  removed: 1,
  hunks: [],
  ...more,
});

test("a changed, a new and a deleted file form one patch", () => {
  const text = patchText([
    view({ hunks: [{ oldStart: 1, newStart: 1, lines: [" one", "-two", "+2", " three"] }] }),
    view({ path: "new.txt", change: "create", hunks: [{ oldStart: 1, newStart: 1, lines: ["+new"] }] }),
    view({ path: "old.txt", change: "delete", hunks: [{ oldStart: 1, newStart: 1, lines: ["-old"] }] }),
  ]);
  expect(text).toBe(
    [
      "diff --git a/a.txt b/a.txt",
      "--- a/a.txt",
      "+++ b/a.txt",
      "@@ -1,3 +1,3 @@",
      " one",
      "-two",
      "+2",
      " three",
      "diff --git a/new.txt b/new.txt",
      "new file mode 100644",
      "--- /dev/null",
      "+++ b/new.txt",
      "@@ -0,0 +1,1 @@",
      "+new",
      "diff --git a/old.txt b/old.txt",
      "deleted file mode 100644",
      "--- a/old.txt",
      "+++ /dev/null",
      "@@ -1,1 +0,0 @@",
      "-old",
      "",
    ].join("\n"),
  );
});
