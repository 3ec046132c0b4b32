import { loadRegexEngine } from "@baton/core/text/regex";
import { beforeAll, expect, test } from "vitest";
import { compileGlob } from "./compile-glob.ts";

beforeAll(loadRegexEngine);

const matching = (pattern: string, paths: string[]): string[] => {
  const glob = compileGlob(pattern);
  if (typeof glob !== "function") throw new Error(glob.message);
  return paths.filter((path) => glob(path));
};

const paths = ["a.ts", "a.tsx", "src/a.ts", "src/deep/a.test.ts", "src/[x].ts", "docs/a.md"];

test.each([
  ["*.ts", ["a.ts", "src/a.ts", "src/deep/a.test.ts", "src/[x].ts"]],
  ["src/*.ts", ["src/a.ts", "src/[x].ts"]],
  ["./src/*.ts", ["src/a.ts", "src/[x].ts"]],
  ["**/a.ts", ["a.ts", "src/a.ts"]],
  ["src/**/*.ts", ["src/a.ts", "src/deep/a.test.ts", "src/[x].ts"]],
  ["src/**", ["src/a.ts", "src/deep/a.test.ts", "src/[x].ts"]],
  ["*.{ts,md}", ["a.ts", "src/a.ts", "src/deep/a.test.ts", "src/[x].ts", "docs/a.md"]],
  ["{src/deep,docs}/*", ["src/deep/a.test.ts", "docs/a.md"]],
  ["?.ts", ["a.ts", "src/a.ts"]],
  ["[a-c].ts", ["a.ts", "src/a.ts"]],
  ["[!a].ts", []],
  ["src/\\[x\\].ts", ["src/[x].ts"]],
  ["a.{ts}", []],
  ["A.ts", []],
])("%s", (pattern, expected) => {
  expect(matching(pattern, paths)).toEqual(expected);
});

test("a character of two code units counts as one character", () => {
  expect(matching("?.ts", ["😀.ts"])).toEqual(["😀.ts"]);
});

test("a dash at the edge of a set is a dash", () => {
  expect(matching("[a-].ts", ["-.ts", "a.ts", "b.ts"])).toEqual(["-.ts", "a.ts"]);
  expect(matching("[a-c].ts", ["-.ts", "b.ts"])).toEqual(["b.ts"]);
});

test("too many braces are refused and not expanded", () => {
  expect(compileGlob("{a,b}".repeat(20))).toMatchObject({ fault: "bad_pattern" });
});

test("a hostile pattern is matched in a moment", () => {
  const glob = compileGlob(`${"*a".repeat(200)}b/${"**/".repeat(100)}x`);
  const began = performance.now();
  expect(typeof glob === "function" && glob(`${"a".repeat(4000)}/${"y/".repeat(40)}z`)).toBe(false);
  expect(performance.now() - began).toBeLessThan(10_000);
});
