import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { z } from "zod";
import { configJsonSchema, configSections } from "./config-schema.ts";
import { settingDescriptions, settingPaths } from "./setting-descriptions.ts";

const page = readFileSync(new URL("../../../../docs/settings.md", import.meta.url), "utf8");

test("the page of settings lists all of them, and no others", () => {
  const listed = [...page.matchAll(/^\| `(\w+)/gm)].map(([, name]) => name);
  expect(new Set(listed)).toEqual(new Set(Object.keys(configSections)));
});

test("the JSON Schema accepts valid settings and rejects others", () => {
  const schema = z.fromJSONSchema(JSON.parse(JSON.stringify(configJsonSchema())) as Parameters<typeof z.fromJSONSchema>[0]);
  const fits = (config: object) => schema.safeParse(config).success;
  expect(fits({ $schema: "x", model: "a/b", permissions: { edit: "ask" }, providers: { own: { kind: "openai" } } })).toBe(true);
  expect([{ model: "a" }, { modell: "a/b" }, { sandbox: "maybe" }, { mcpServers: { a: { commando: "x" } } }].filter(fits)).toEqual([]);
});

test("every setting has a description, and every description has a setting", () => {
  const paths = settingPaths(configJsonSchema()).map(([path]) => path);
  expect(paths.toSorted()).toEqual(Object.keys(settingDescriptions).toSorted());
});

test("editors show the description and the default of a setting", () => {
  const limits = settingPaths(configJsonSchema()).find(([path]) => path === "limits.steps");
  expect(limits?.[1].description).toBe("The steps of a turn before it asks. Default: 200.");
});
