import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parts } from "./schema.ts";

const page = readFileSync(new URL("../../../../docs/settings.md", import.meta.url), "utf8");

test("the page of settings has them all, and no others", () => {
  const told = [...page.matchAll(/^\| `(\w+)/gm)].map(([, name]) => name);
  expect(new Set(told)).toEqual(new Set(Object.keys(parts)));
});
