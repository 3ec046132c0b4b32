import { expect, test } from "vitest";
import { toolNames, type ToolAddress } from "./tool-names.ts";

const named = (...places: [server: string, tool: string][]): string[] =>
  toolNames(places.map(([server, tool]): ToolAddress => ({ server, tool })));

test("a plain name becomes server__tool", () => {
  expect(named(["files", "read_file"], ["git-hub", "create-issue"])).toEqual(["files__read_file", "git-hub__create-issue"]);
});

test("a name that cannot be kept exactly gets digits of its hash, and never more than 64 characters", () => {
  const [spaced, long, dotted] = named(["files", "read file"], ["files", "x".repeat(80)], ["files", "read.file"]);
  expect(spaced).toMatch(/^files__read_file_[0-9a-f]{8}$/);
  expect(dotted).toMatch(/^files__read_file_[0-9a-f]{8}$/);
  expect(spaced).not.toBe(dotted);
  expect(long).toHaveLength(64);
});

test("tools with names that would collide keep unique names, in any order", () => {
  const places: [string, string][] = [
    ["a", "b-c"],
    ["a", "b_c"],
    ["A", "b_C"],
    ["a", "_b"],
    ["a_", "b"],
    ["a", "b__c"],
    ["a__b", "c"],
    ["a", ""],
    ["a", "b_c_0123abcd"],
  ];
  const names = named(...places);
  expect(new Set(names.map((name) => name.toLowerCase().replaceAll("-", "_"))).size).toBe(places.length);
  for (const name of names) expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
  expect(named(...places.toReversed())).toEqual(names.toReversed());
});

test("a tool cannot be called by the hashed name of another", () => {
  const [digested] = named(["files", "read file"]);
  const [, other] = named(["files", "read file"], ["files", (digested ?? "").slice("files__".length)]);
  expect(other).not.toBe(digested);
});
