import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Workbench } from "../../../../test/support/workbench.ts";

/**
 * The behaviour that Codex's scenarios of this patch format ask for, each with a patch of our own. `stricter` gives the
 * reason where Baton deliberately refuses what Codex does; then no file changes.
 */
type Scenario = { name: string; input: Files; patch: string[]; expected?: Files; stricter?: string };
type Files = Record<string, string>;

const BEGIN = "*** Begin Patch";
const END = "*** End Patch";
const whole = (...lines: string[]) => [BEGIN, ...lines, END];
const update = (file: string, ...lines: string[]) => whole(`*** Update File: ${file}`, "@@", ...lines);

const SCENARIOS: Scenario[] = [
  { name: "001 adds a file", input: {}, patch: whole("*** Add File: n.md", "+hi"), expected: { "n.md": "hi\n" } },
  {
    name: "002 several operations",
    input: { "go.txt": "x\n", "m.txt": "a\nb\n" },
    patch: whole("*** Add File: in/n.txt", "+new", "*** Delete File: go.txt", "*** Update File: m.txt", "@@", "-b", "+c"),
    expected: { "in/n.txt": "new\n", "m.txt": "a\nc\n" },
  },
  {
    name: "003 several hunks",
    input: { "m.txt": "1\n2\n3\n4\n" },
    patch: update("m.txt", "-2", "+two", "@@", "-4", "+four"),
    expected: { "m.txt": "1\ntwo\n3\nfour\n" },
  },
  {
    name: "004 moves into a new folder",
    input: { "old/a.txt": "a\n", "old/b.txt": "b\n" },
    patch: whole("*** Update File: old/a.txt", "*** Move to: new/in/a.txt", "@@", "-a", "+c"),
    expected: { "new/in/a.txt": "c\n", "old/b.txt": "b\n" },
  },
  { name: "005 refuses an empty patch", input: { "a.txt": "a\n" }, patch: whole() },
  { name: "006 refuses lines that are not there", input: { "a.txt": "a\n" }, patch: update("a.txt", "-b", "+c") },
  { name: "007 refuses to delete what is not there", input: { "a.txt": "a\n" }, patch: whole("*** Delete File: b.txt") },
  { name: "008 refuses an update without lines", input: { "a.txt": "a\n" }, patch: whole("*** Update File: a.txt") },
  { name: "009 refuses to update what is not there", input: { "a.txt": "a\n" }, patch: update("b.txt", "-a", "+b") },
  {
    name: "010 moves over another file",
    input: { "a.txt": "a\n", "b.txt": "b\n" },
    patch: whole("*** Update File: a.txt", "*** Move to: b.txt", "@@", "-a", "+c"),
    stricter: "the other file would be lost, though the patch does not name it as changed",
  },
  {
    name: "011 adds over another file",
    input: { "a.txt": "a\n" },
    patch: whole("*** Add File: a.txt", "+b"),
    stricter: "the agent believes that there is no such file, so it has not read what it would replace",
  },
  { name: "012 refuses to delete a folder", input: { "in/a.txt": "a\n" }, patch: whole("*** Delete File: in") },
  { name: "013 refuses an unknown header", input: { "a.txt": "a\n" }, patch: whole("*** Rework File: a.txt") },
  {
    name: "014 ends a last line that it writes",
    input: { "a.txt": "only" },
    patch: update("a.txt", "-only", "+one", "+two"),
    expected: { "a.txt": "one\ntwo\n" },
  },
  {
    name: "015 a failure after a success",
    input: {},
    patch: whole("*** Add File: n.txt", "+new", "*** Update File: b.txt", "@@", "-a", "+b"),
    stricter: "a patch is applied as a whole or not at all, so that the agent can send it again",
  },
  { name: "016 only adds lines", input: { "a.txt": "a\n" }, patch: update("a.txt", "+b", "+c"), expected: { "a.txt": "a\nb\nc\n" } },
  {
    name: "017 a padded header",
    input: { "a.txt": "a\n" },
    patch: whole("   *** Update File: a.txt  ", "@@", "-a", "+b"),
    expected: { "a.txt": "b\n" },
  },
  {
    name: "017 padded headers after additions and deletions",
    input: { "a.txt": "a\n", "b.txt": "b\n" },
    patch: whole("*** Add File: n.txt", "+n", "  *** Delete File: b.txt", "\t*** Update File: a.txt", "@@", "-a", "+b"),
    expected: { "a.txt": "b\n", "n.txt": "n\n" },
  },
  {
    name: "018 padded markers",
    input: { "a.txt": "a\n" },
    patch: [`  ${BEGIN}`, "*** Update File: a.txt", "@@", "-a", "+b", `${END}  `],
    expected: { "a.txt": "b\n" },
  },
  {
    name: "019 letters beyond ASCII",
    input: { "a.txt": "å é\n" },
    patch: update("a.txt", "-å é", "+å é ✓"),
    expected: { "a.txt": "å é ✓\n" },
  },
  {
    name: "020 deletes a file",
    input: { "a.txt": "a\n", "b.txt": "b\n" },
    patch: whole("*** Delete File: b.txt"),
    expected: { "a.txt": "a\n" },
  },
  {
    name: "020 a padded end",
    input: { "a.txt": "a\n" },
    patch: [`${BEGIN} `, "*** Update File: a.txt", "@@", "-a", "+b", ` ${END}`],
    expected: { "a.txt": "b\n" },
  },
  {
    name: "021 only removes lines",
    input: { "a.txt": "1\n2\n3\n" },
    patch: update("a.txt", " 1", "-2", " 3"),
    expected: { "a.txt": "1\n3\n" },
  },
  {
    name: "022 the end of a file",
    input: { "a.txt": "1\n2\n" },
    patch: update("a.txt", " 1", "-2", "+3", "*** End of File"),
    expected: { "a.txt": "1\n3\n" },
  },
];

test.each(SCENARIOS)("$name", async ({ input, patch, expected, stricter }) => {
  await using bench = await Workbench.open(input);
  const outcome = await bench.run("apply_patch", { patch: patch.join("\n") });
  expect({ stricter, outcome: outcome.outcome }).toEqual({ stricter, outcome: expected ? "ok" : "failed" });
  const files = readdirSync(bench.folder.path, { recursive: true }).map(String);
  const read = files
    .filter((file) => statSync(join(bench.folder.path, file)).isFile())
    .map((file) => [file, readFileSync(join(bench.folder.path, file), "utf8")]);
  expect(Object.fromEntries(read)).toEqual(expected ?? input);
});

test("a context line that reads like a header stays a context line", async () => {
  await using bench = await Workbench.open({ "a.txt": "*** Delete File: b.txt\na\n", "b.txt": "b\n" });
  await bench.run("apply_patch", { patch: update("a.txt", " *** Delete File: b.txt", "-a", "+c").join("\n") });
  expect(readFileSync(bench.folder.at("a.txt"), "utf8")).toBe("*** Delete File: b.txt\nc\n");
  expect(existsSync(bench.folder.at("b.txt"))).toBe(true);
});
