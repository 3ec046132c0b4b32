import { expect, test } from "vitest";
import { builtinModes } from "./builtin-modes.ts";
import { merge, type FoundMode } from "./merge.ts";
import { modelName, modelOf, withOverride } from "./override.ts";

const [code, architect] = builtinModes;
if (!code || !architect) throw new Error("no built-in modes");
const found = (slug: string, name: string, source: "global" | "project"): FoundMode => ({
  mode: { ...code, slug, name },
  origin: { source, format: "own", filePath: `/${source}/${slug}` },
});

test("the strongest definition counts, whole, at the place of the built-in one", () => {
  const merged = merge([found("new", "New", "project"), found("code", "Mine", "global")], [code, architect]);
  expect(merged.map(({ mode, shadows }) => [mode.name, shadows.length])).toEqual([
    ["Mine", 1],
    ["Architect", 0],
    ["New", 0],
  ]);
});

test("a project's definition says what it stands in front of: the person's, else the built-in one", () => {
  const all = [found("code", "Theirs", "project"), found("code", "Theirs too", "project"), found("code", "Mine", "global")];
  const within = (...given: FoundMode[]) => merge(given, [code])[0]?.within?.mode.name;
  expect([within(...all), within(...all.slice(0, 2)), within(...all.slice(2))]).toEqual(["Mine", "Code", undefined]);
});

test("texts of the config change a built-in mode and keep its tools; a definition of a file beats them", () => {
  const override = { roleDefinition: "You are mine." };
  expect(withOverride(code, { source: "builtin", format: "own" }, override)).toEqual({ ...code, ...override });
  expect(withOverride(code, { source: "global", format: "own" }, override)).toEqual(code);
});

test("a model of the config counts for any mode, and is named with its provider", () => {
  const { model } = withOverride(code, { source: "project", format: "roo" }, { model: "a/b/c" });
  expect(model).toEqual({ provider: "a", id: "b/c" });
  expect([modelName(modelOf("a/b/c")), modelName(modelOf("b"))]).toEqual(["a/b/c", undefined]);
});

test("rules of the config open what the groups of that mode lack", () => {
  const rule = { action: "edit", resource: "notes/*", effect: "allow" } as const;
  expect(withOverride(architect, { source: "builtin", format: "own" }, { permissions: [rule] })).toMatchObject({
    permissions: [rule],
    opened: [rule],
  });
});
