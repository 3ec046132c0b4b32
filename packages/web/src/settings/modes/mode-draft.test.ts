import { expect, test } from "vitest";
import {
  draftChange,
  toDefinition,
  toDraft,
  emptyDraft,
  limitIn,
  withoutEmptyFields,
  suggestSlug,
  withGroup,
  withLimit,
} from "./mode-draft.ts";
import { serializeModeDraft } from "./draft-diagnostics.ts";
import type { ListedMode } from "./use-modes.ts";

const mode: ListedMode = {
  slug: "docs",
  name: "Docs",
  description: "Writes.",
  whenToUse: "Writes.",
  roleDefinition: "You write.",
  customInstructions: "",
  customRules: ["one", "two"],
  groups: ["command", { name: "edit", fileRegex: "^docs/", deny: "secret", description: "Docs" }],
  model: { provider: "local", id: "qwen", temperature: 0.2 },
  maxSteps: 50,
  permissions: [{ action: "edit", resource: "*", effect: "ask" }],
  icon: "book",
  hue: "teal",
  source: "project",
  format: "own",
  filePath: "/work/.baton/modes/docs.md",
  isCustom: true,
  shadows: [],
};

test("an unchanged form changes nothing", () => {
  expect(draftChange(toDraft(mode), toDraft(mode))).toEqual({});
});

test("only changes are sent, and a new description resets the text for when to use the mode if that text is a copy", () => {
  const before = toDraft(mode);
  expect(draftChange(before, { ...before, maxSteps: "", customRules: "one\n\n three " })).toEqual({
    maxSteps: null,
    customRules: ["one", "three"],
  });
  expect(draftChange(before, { ...before, description: "Writes more." })).toEqual({ description: "Writes more.", whenToUse: null });
  expect(draftChange(before, { ...before, maxSteps: "many" })).toEqual({ maxSteps: "many" }); // the daemon reports the error
});

test("a disabled group keeps its limits and its position", () => {
  const before = toDraft(mode);
  const without = withGroup(before, "edit", false);
  expect(draftChange(before, without)).toEqual({ groups: ["command"] });
  expect(draftChange(before, withGroup(without, "edit", true))).toEqual({});
  const wider = withLimit(before, "edit", "fileRegex", "");
  expect(limitIn(wider, "edit", "fileRegex")).toBe("");
  expect(toDefinition(withGroup(wider, "read", true))["groups"]).toEqual([
    "command",
    { name: "edit", deny: "secret", description: "Docs" },
    "read",
  ]);
});

test("an empty form reports the missing required fields, and no others", () => {
  expect(withoutEmptyFields(toDefinition(emptyDraft))).toEqual({
    slug: "",
    name: "",
    description: "",
    roleDefinition: "",
    groups: ["read"],
  });
});

test("a line of the file that checks a form leads back to its field", () => {
  const { path, text, fieldAt } = serializeModeDraft(
    "/work",
    withLimit(withGroup(toDraft(mode), "mcp", true), "command", "commandRegex", "^git"),
  );
  expect(path).toBe("/work/.baton/modes.json");
  const lines = text.split("\n");
  const at = (part: string) => fieldAt(lines.findIndex((line) => line.includes(part)) + 1);
  expect(["You write.", '"one"', "^git", "^docs/", '"mcp"'].map(at)).toEqual([
    "roleDefinition",
    "customRules",
    "commandRegex",
    "fileRegex",
    "groups",
  ]);
  expect(JSON.parse(text)).toMatchObject({ slug: "docs", groups: [{ name: "command", commandRegex: "^git" }, { name: "edit" }, "mcp"] });
  expect(JSON.parse(serializeModeDraft("/work", { ...toDraft(mode), slug: "a b" }).text)).toMatchObject({ slug: "new-mode" });
});

test("a name gives a slug", () => {
  expect(suggestSlug("  Team/Code Review! ")).toBe("team-code-review");
});
