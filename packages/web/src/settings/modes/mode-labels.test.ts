import { expect, test } from "vitest";
import {
  modeBadges,
  readOnlyReason,
  modeGist,
  matchesModeSearch,
  nameBeside,
  shortFile,
  modeCountsText,
  usersText,
} from "./mode-labels.ts";
import type { Diagnostic } from "./use-modes.ts";

const file = "/work/.roomodes";
const roo = { slug: "review", source: "project", format: "roo", filePath: file, shadows: [] } as const;
const fault: Diagnostic = { file, line: 1, column: 1, severity: "error", code: "bad_regex", slug: "other", message: "no" };

test("the badges of a mode show its owner, the mode that it overrides, and errors of its own file", () => {
  expect(modeBadges({ ...roo, shadows: [] }, [fault])).toEqual([{ text: "project" }]);
  expect(modeBadges({ ...roo, shadows: [] }, [{ ...fault, slug: "review" }])).toEqual([
    { text: "invalid file", fail: true },
    { text: "project" },
  ]);
  const mine = { slug: "ask", source: "global" as const, shadows: [{ source: "builtin" as const, format: "own" }] };
  expect(modeBadges(mine, [])).toEqual([{ text: "yours, overrides built-in" }]);
  expect(modeBadges({ ...roo, shadows: [], inert: "untrusted" }, [])).toEqual([{ text: "ignored until trusted" }, { text: "project" }]);
});

test("a mode can be changed if it is in Baton's form or in a list, and not if it is a page of another program", () => {
  expect(readOnlyReason(roo)).toBeUndefined();
  expect(readOnlyReason({ ...roo, format: "own", filePath: "/work/.baton/modes/a.md" })).toBeUndefined();
  expect(readOnlyReason({ ...roo, format: "claude", filePath: "/work/.claude/agents/a.md" })).toContain("another program");
  expect(readOnlyReason({ ...roo, format: "opencode", filePath: "/work/opencode.json" })).toContain("another program");
  expect(readOnlyReason({ ...roo, inert: "untrusted" })).toContain("trusted");
  expect(readOnlyReason({ source: "builtin", format: "own" })).toContain("built in");
});

test("the text on a card is short, and a search ignores case", () => {
  expect(modeGist({ description: "", roleDefinition: "You review. ".repeat(40) })).toMatch(/^You review\. .{100,150} …$/);
  expect(nameBeside({ name: "Docs Writer", slug: "docs-writer" })).toBeUndefined();
  expect(nameBeside({ name: "Guide", slug: "docs" })).toBe("Guide");
  expect(matchesModeSearch(" LINES ", { name: "Docs", slug: "docs", description: "Writes lines." })).toBe(true);
  expect(matchesModeSearch("x", { name: "Docs", slug: "docs", description: "Writes lines." })).toBe(false);
  expect(shortFile("/work", "/work/.baton/modes/a.md")).toBe(".baton/modes/a.md");
  expect(shortFile("/work", "/home/ada/.config/baton/modes/a.md")).toBe("…/baton/modes/a.md");
});

test("counts are written as words", () => {
  expect(modeCountsText([{ source: "builtin" }, { source: "global" }])).toBe("1 built in, 0 from the project, 1 of yours");
  expect(usersText(["a", "b", "", "c", "d", "e", "f"])).toBe("7 sessions use it: a, b, a session without a title, c, d and 2 more.");
});
