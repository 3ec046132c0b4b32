import { expect, test } from "vitest";
import { builtinModes } from "./builtin-modes.ts";
import { resolveModeDefinitions, type FoundMode } from "./resolve-mode-definitions.ts";
import { modelName, parseModelChoice, withOverride } from "./mode-override.ts";

const [code, architect] = builtinModes;
if (!code || !architect) throw new Error("no built-in modes");
const found = (slug: string, name: string, source: "global" | "project"): FoundMode => ({
  mode: { ...code, slug, name },
  origin: { source, format: "own", filePath: `/${source}/${slug}` },
});

test("the definition with the highest priority applies completely, at the position of the built-in one", () => {
  const merged = resolveModeDefinitions([found("new", "New", "project"), found("code", "Mine", "global")], [code, architect]);
  expect(merged.map(({ mode, shadows }) => [mode.name, shadows.length])).toEqual([
    ["Mine", 1],
    ["Architect", 0],
    ["New", 0],
  ]);
});

test("a project's definition names the definition that it replaces: the user's, or else the built-in one", () => {
  const all = [found("code", "Theirs", "project"), found("code", "Theirs too", "project"), found("code", "Mine", "global")];
  const within = (...found: FoundMode[]) => resolveModeDefinitions(found, [code])[0]?.within?.mode.name;
  expect([within(...all), within(...all.slice(0, 2)), within(...all.slice(2))]).toEqual(["Mine", "Code", undefined]);
});

test("texts in the config change a built-in mode and keep its tools, and a definition in a file overrides them", () => {
  const override = { roleDefinition: "You are mine." };
  expect(withOverride(code, { source: "builtin", format: "own" }, override)).toEqual({ ...code, ...override });
  expect(withOverride(code, { source: "global", format: "own" }, override)).toEqual(code);
});

test("a model in the config applies to any mode, and is named with its provider", () => {
  const { model } = withOverride(code, { source: "project", format: "roo" }, { model: "a/b/c" });
  expect(model).toEqual({ provider: "a", id: "b/c" });
  expect([modelName(parseModelChoice("a/b/c")), modelName(parseModelChoice("b"))]).toEqual(["a/b/c", undefined]);
});

test("rules in the config allow what the groups of that mode lack", () => {
  const rule = { action: "edit", resource: "notes/*", effect: "allow" } as const;
  expect(withOverride(architect, { source: "builtin", format: "own" }, { permissions: [rule] })).toMatchObject({
    permissions: [rule],
    opened: [rule],
  });
});
