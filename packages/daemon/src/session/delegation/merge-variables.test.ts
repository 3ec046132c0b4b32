import { expect, test } from "vitest";
import { mergeVariables } from "./merge-variables.ts";

test("the task that ends last wins, and variables that another task changed too are named", () => {
  expect(mergeVariables({ a: 1, b: [1] }, {}, { b: [1], c: 3 })).toEqual({ values: { c: 3 }, conflicts: [], tooLong: false });
  expect(mergeVariables({ a: 2 }, { a: 1 }, { a: 3 })).toEqual({ values: { a: 3 }, conflicts: ["a"], tooLong: false });
  expect(mergeVariables({ a: 1 }, { a: 1 }, { a: 3 })).toEqual({ values: { a: 3 }, conflicts: [], tooLong: false });
});

test("values that are too long together are not merged", () =>
  expect(mergeVariables({ a: "x".repeat(40_000) }, {}, { b: "y".repeat(40_000) })).toMatchObject({ values: {}, tooLong: true }));
