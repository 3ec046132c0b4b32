import { expect, test } from "vitest";
import { settingFields, shownValue, parseSettingInput, valueAt } from "./setting-fields.ts";

test("a section is one field, or one field for each of its settings", () => {
  expect(settingFields("sandbox", { type: "string", enum: ["on", "off"], description: "In a sandbox." })).toMatchObject([
    { setting: ["sandbox"], label: "Sandbox for commands", hint: "In a sandbox.", input: { kind: "choice", choices: ["on", "off"] } },
  ]);
  const limits = { type: "object", properties: { cost: { type: "number" }, newLimit: { type: "integer" } } };
  expect(settingFields("limits", limits)).toMatchObject([
    { setting: ["limits", "cost"], input: { kind: "number", whole: false, unit: "US dollars" } },
    { setting: ["limits", "newLimit"], label: "New limit", input: { kind: "number", whole: true } },
  ]);
});

test("a section that is one value or lists has a field for each", () => {
  const hosts = { type: "array", items: { type: "string" } };
  const properties = { allow: hosts, deny: hosts, secrets: { type: "object", additionalProperties: hosts } };
  const fields = settingFields("network", { anyOf: [{ enum: ["on", "off"] }, { type: "object", properties }] });
  expect(fields.map(({ setting, input }) => [setting.join("."), input.kind])).toEqual([
    ["network", "choice"],
    ["network.allow", "list"],
    ["network.deny", "list"],
  ]);
  expect(settingFields("permissions", { anyOf: [hosts, { type: "object" }] }).map(({ input }) => input.kind)).toEqual(["list"]);
});

test("a list of entries with fields has no field, because a line of text cannot hold them", () => {
  const commands = { type: "array", items: { type: "object", properties: { command: { type: "string" } } } };
  expect(settingFields("checks", { type: "object", properties: { commands, most: { type: "integer" } } })).toMatchObject([
    { setting: ["checks", "most"], label: "New errors for the model" },
  ]);
});

test("a value can be typed, shown and removed", () => {
  const number = { kind: "number", whole: true, unit: "" } as const;
  expect(parseSettingInput(number, " 12 ")).toEqual({ value: 12 });
  expect(parseSettingInput(number, "1.5")).toEqual({ problem: "Enter a whole number." });
  expect(parseSettingInput(number, "")).toEqual({ value: null });
  expect(parseSettingInput({ kind: "list" }, "a\n\n b ")).toEqual({ value: ["a", "b"] });
  expect(shownValue(["a", "b"])).toBe("a\nb");
  expect(valueAt({ limits: { cost: 5 } }, ["limits", "cost"])).toBe(5);
  expect(valueAt({}, ["limits", "cost"])).toBeUndefined();
});
