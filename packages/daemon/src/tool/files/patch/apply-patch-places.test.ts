import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { Workbench } from "../../../../test/support/workbench.ts";

const body = (...lines: string[]) => ["*** Begin Patch", ...lines, "*** End Patch"].join("\n");
const NAMES = ["A", "B", "C", "D"];
const METHODS = ["open", "run", "close"];
/** Classes with the same methods, so that only anchors tell their lines apart. */
const FILE = NAMES.flatMap((name) => [
  `class ${name} {`,
  ...METHODS.flatMap((method) => [`  ${method}() {`, "    return 1;", "  }"]),
  "}",
  "",
]).join("\n");

async function apply(patch: string, text = FILE) {
  await using bench = await Workbench.open({ "a.js": text });
  const outcome = await bench.run("apply_patch", { patch });
  return { outcome, after: readFileSync(bench.folder.at("a.js"), "utf8") };
}

const update = (...lines: string[]) => body("*** Update File: a.js", ...lines);
const CHANGE = ["-    return 1;", "+    return 2;"];
const changedLine = (after: string) => after.split("\n").findIndex((line) => line === "    return 2;");
const lineOf = (name: string, method: string) => NAMES.indexOf(name) * 12 + METHODS.indexOf(method) * 3 + 2;

test.each(NAMES.flatMap((name) => METHODS.map((method) => [name, method])))("stacked anchors find %s.%s alone", async (name, method) => {
  const { outcome, after } = await apply(update(`@@ class ${name} {`, `@@   ${method}() {`, ...CHANGE));
  expect(outcome.outcome).toBe("ok");
  expect(changedLine(after)).toBe(lineOf(name, method));
  expect(after.split("\n").filter((line) => line === "    return 2;")).toHaveLength(1);
});

test.each([
  ["part of a line", ["@@ class C"], "class C {"],
  ["another name", ["@@ class NOPE {"], "class A {"],
  ["a second anchor that is not there", ["@@ class C {", "@@ stop() {"], "after line 25"],
  ["an anchor above the one before it", ["@@ class C {", "@@ class B {"], "13\tclass B {"],
  ["the heading of line numbers", ["@@ -5,1 +5,1 @@ class NOPE {"], "class A {"],
])("an anchor that is not found changes nothing: %s", async (_, anchors, nearest) => {
  const { outcome, after } = await apply(update(...anchors, ...CHANGE));
  expect(outcome.outcome).toBe("failed");
  expect(outcome.text).toContain(nearest);
  expect(outcome.text).toContain("Nothing was changed.");
  expect(after).toBe(FILE);
});

test("an anchor without lines is an error", async () => {
  const { outcome, after } = await apply(update("@@ class B {", ...CHANGE, "@@ class C {"));
  expect(outcome.text).toContain('No lines follow "@@ class C {"');
  expect(after).toBe(FILE);
});

test("two changes in a class can use the same anchor", async () => {
  const change = (method: string) => ["@@ class C {", `   ${method}() {`, ...CHANGE];
  const { outcome, after } = await apply(update(...change("open"), ...change("close")));
  expect(outcome.outcome).toBe("ok");
  const changed = after.split("\n").flatMap((line, i) => (line === "    return 2;" ? [i] : []));
  expect(changed).toEqual([lineOf("C", "open"), lineOf("C", "close")]);
});

test("lines that are only added are inserted after their anchor", async () => {
  const { after } = await apply(update("@@ class C {", "+  // added"));
  expect(after).toBe(FILE.replace("class C {\n", "class C {\n  // added\n"));
  expect((await apply(update("@@ -3,0 +4,1 @@", "+  // added"))).outcome.text).toContain("Add a line of context");
});

test("a change that is marked as the end of the file applies only there", async () => {
  const text = "x\ny\nx\ny\n";
  expect((await apply(update("@@", "-y", "+z", "*** End of File"), text)).after).toBe("x\ny\nx\nz\n");
  expect((await apply(update("@@", "-x", "+z", "*** End of File"), text)).outcome.outcome).toBe("failed");
});

test("the agent sees the changes, up to a limit", async () => {
  const { outcome } = await apply(update("@@ class C {", ...CHANGE));
  expect(outcome.text).toMatch(/^Changed a\.js\.\n/);
  expect(outcome.text).toContain(" class C {\n   open() {\n-    return 1;\n+    return 2;");
  const long = Array.from({ length: 2_000 }, (_, i) => `line ${i}`);
  const all = await apply(update("@@", ...long.map((line) => `-${line}`), ...long.map((line) => `+new ${line}`)), long.join("\n"));
  expect(all.outcome.text.length).toBeLessThan(5_000);
  expect(all.outcome.text).toContain("the diff is cut here");
});

test("a patch that is cut off within a change changes nothing", async () => {
  const whole = update("@@ class A {", ...CHANGE, "@@ class C {", ...CHANGE).split("\n");
  const complete = [5, 8]; // after these lines, every change is whole and only the end marker is missing
  for (let lines = 1; lines < whole.length; lines++) {
    const { outcome, after } = await apply(whole.slice(0, lines).join("\n"));
    const isComplete = complete.includes(lines);
    expect([lines, outcome.outcome, after === FILE]).toEqual([lines, isComplete ? "ok" : "failed", !isComplete]);
  }
});

test("a missing end marker is ignored", async () => {
  const { after } = await apply(["*** Begin Patch", "*** Update File: a.js", "@@ class C {", ...CHANGE].join("\n"));
  expect(changedLine(after)).toBe(lineOf("C", "open"));
});

test("many changes that match many places of a long file are refused quickly", async () => {
  const hunk = ["@@", " {", "-    return 1;", "+    return 2;"];
  const long = "{\n    return 1;\n}\n".repeat(20_000);
  const began = performance.now();
  const { outcome, after } = await apply(update(...Array.from({ length: 50 }, () => hunk).flat()), long);
  expect(outcome.text).toContain("Change 1 of 50 could mean several places in a.js: its lines are at line 1 and line 4");
  expect(after).toBe(long);
  expect(performance.now() - began).toBeLessThan(20_000);
});
