import { expect, test } from "vitest";
import { findFormatter } from "./find-formatter.ts";

test("a known formatter needs only its name", () => {
  expect(findFormatter("/w/a.go", { gofmt: {} })).toEqual({ name: "gofmt", program: "gofmt", args: ["-w", "/w/a.go"], env: {} });
});

test("a setting replaces a part of a known formatter", () => {
  const settings = { prettier: { command: ["npx", "prettier", "--write=$FILE"], environment: { CI: "1" } } };
  expect(findFormatter("/w/a.ts", settings)).toEqual({
    name: "prettier",
    program: "npx",
    args: ["prettier", "--write=/w/a.ts"],
    env: { CI: "1" },
  });
});

test("the first formatter for a file is used, unless it is disabled", () => {
  const settings = { biome: { disabled: true }, own: { command: ["own", "$FILE"], extensions: [".ts"] }, prettier: {} };
  expect(findFormatter("/w/a.ts", settings)?.name).toBe("own");
  expect(findFormatter("/w/a.md", settings)?.name).toBe("prettier");
  expect(findFormatter("/w/a.py", settings)).toBeUndefined();
});
