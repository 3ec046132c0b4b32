import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { check } from "../architecture/check.ts";

const root = path.resolve(import.meta.dirname, "../..");

test("the code follows the table of rooms", () => {
  const files = globSync("packages/*/src/**/*.{ts,tsx}", { cwd: root }).filter((file) => !/\.(test|d)\.tsx?$/.test(file));
  expect(files.length).toBeGreaterThan(0);
  const sources = new Map(files.map((file) => [file.replaceAll(path.sep, "/"), readFileSync(path.join(root, file), "utf8")]));
  expect(check(sources)).toEqual([]);
});
