import { expect, test } from "vitest";
import { cleanCommitMessage } from "./commit-message.ts";
import { filterDiff } from "./filter-diff.ts";

const change = (path: string, line: string) =>
  `diff --git a/${path} b/${path}\nindex 1..2 100644\n--- a/${path}\n+++ b/${path}\n@@ -1 +1 @@\n-x\n+${line}\n`;

test("files that may contain keys are left out, whether they are changed, renamed, added or binary", () => {
  const code = change("src/a.ts", "++++ b/.env is only text here");
  const renamed = "diff --git a/.env b/env.txt\nsimilarity index 100%\nrename from .env\nrename to env.txt\n";
  const added = "diff --git a/.env b/.env\nnew file mode 100644\n--- /dev/null\n+++ b/.env\n@@ -0,0 +1 @@\n+KEY=1\n";
  const binary = "diff --git a/.env b/.env\nBinary files a/.env and b/.env differ\n";
  const isHidden = (path: string) => path === ".env";
  for (const secret of [change(".env", "KEY=1"), renamed, added, binary])
    expect(filterDiff(secret + code, isHidden)).toEqual({ diff: code, leftOut: [".env"] });
  expect(filterDiff(code, isHidden)).toEqual({ diff: code, leftOut: [] });
});

test("quotes and fences around a message are removed", () => {
  expect(cleanCommitMessage('"Fix the parser"\n')).toBe("Fix the parser");
  expect(cleanCommitMessage("```text\nFix the parser\n\nIt lost a line.\n```")).toBe("Fix the parser\n\nIt lost a line.");
  expect(cleanCommitMessage("Say `hello` and `bye`")).toBe("Say `hello` and `bye`");
});
