import { expect, test } from "vitest";
import { startEnvironmentFacts } from "./environment-prompt.ts";

test("a model learns the date and the state of git at the start of its session", () => {
  expect(startEnvironmentFacts(undefined)).toEqual([]);
  expect(startEnvironmentFacts({ date: "2026-01-05" })).toEqual(["This conversation started on 2026-01-05."]);
  expect(startEnvironmentFacts({ date: "2026-01-05", git: { branch: "main", changed: true } })).toEqual([
    "This conversation started on 2026-01-05. At that time the git branch was main, with uncommitted changes.",
  ]);
  expect(startEnvironmentFacts({ date: "2026-01-05", git: { branch: null, changed: false } })).toEqual([
    "This conversation started on 2026-01-05. At that time no branch was checked out, without uncommitted changes.",
  ]);
});
