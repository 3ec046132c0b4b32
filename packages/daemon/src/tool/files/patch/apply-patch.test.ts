import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { Workbench } from "../../../../test/support/workbench.ts";
import { applyPatch } from "./apply-patch.ts";

const patch = (...lines: string[]) => ["*** Begin Patch", ...lines, "*** End Patch"].join("\n");
const FILES = {
  "a.ts": "function one() {\n  return 1;\n}\nfunction two() {\n  return 1;\n}\n",
  "b.txt": "old\r\nlines\r\n",
  "c.txt": "gone\n",
};

async function apply(text: string) {
  const bench = await Workbench.open(FILES);
  const outcome = await bench.run("apply_patch", { patch: text });
  const read = (name: string) => (existsSync(bench.folder.at(name)) ? readFileSync(bench.folder.at(name), "utf8") : undefined);
  return { bench, outcome, read };
}

test("one patch adds, changes, moves and deletes", async () => {
  const { bench, outcome, read } = await apply(
    patch(
      "*** Add File: new/d.txt",
      "+one",
      "+two",
      "*** Update File: a.ts",
      "@@ function two() {",
      "-  return 1;",
      "+  return 2;",
      "*** Update File: b.txt",
      "*** Move to: moved.txt",
      "@@",
      " old",
      "-lines",
      "+words",
      "*** Delete File: c.txt",
    ),
  );
  await using _ = bench;
  expect(outcome).toMatchObject({ outcome: "ok", end: "4 files" });
  expect(read("new/d.txt")).toBe("one\ntwo\n");
  expect(read("a.ts")).toBe(FILES["a.ts"].replace(/1;\n}\n$/, "2;\n}\n"));
  expect([read("b.txt"), read("moved.txt"), read("c.txt")]).toEqual([undefined, "old\r\nwords\r\n", undefined]);
});

test.each([
  ["a change that does not fit", patch("*** Update File: a.ts", "@@", "-  return 3;", "+  return 4;"), "does not match a.ts"],
  ["a file that is there", patch("*** Add File: a.ts", "+x"), "already exists"],
  ["a file that is not", patch("*** Update File: nope.ts", "@@", "-x", "+y"), "nope.ts"],
  ["a file named twice", patch("*** Delete File: a.ts", "*** Delete File: a.ts"), "twice"],
  ["no patch at all", "hello", "Line 1 of the patch"],
  ["an empty patch", patch(), "names no file"],
  ["a faulty one after a good one", patch("*** Delete File: c.txt", "*** Update File: a.ts", "@@", "-nope", "+x"), "Nothing was changed"],
])("%s changes nothing and is told", async (_, text, told) => {
  const { bench, outcome, read } = await apply(text);
  await using _bench = bench;
  expect(outcome.outcome).toBe("failed");
  expect(outcome.text).toContain(told);
  expect([read("a.ts"), read("b.txt"), read("c.txt")]).toEqual(Object.values(FILES));
});

test("a patch declares every path, including the new name of a moved file, and declares that it reads the moved file", () => {
  const text = patch("*** Update File: a.ts", "*** Move to: ../x.ts", "@@", "-a", "+b", "*** Delete File: c.txt");
  expect(applyPatch.access(applyPatch.input.parse({ patch: text }))).toEqual([
    ...["a.ts", "../x.ts", "c.txt"].map((resource) => ({ action: "edit", resource })),
    { action: "read", resource: "a.ts" },
  ]);
});

test("Baton does not ask about a patch that cannot be applied", async () => {
  await using bench = await Workbench.open({ ...FILES, ".env": "KEY=1\n" });
  const update = (file: string) => ({ patch: patch(`*** Update File: ${file}`, "@@", "-nowhere", "+b") });
  expect(await bench.beforehand("apply_patch", update("a.ts"))).toMatchObject({ outcome: "failed" });
  expect(await bench.beforehand("apply_patch", update(".env"))).toBeUndefined();
});

test("a file can be moved and deleted, but it never replaces another file, and a folder cannot be moved or deleted", async () => {
  await using bench = await Workbench.open({ ...FILES, "folder/x": "x" });
  expect(await bench.run("move_file", { path: "c.txt", to: "deep/er/c.txt" })).toMatchObject({ outcome: "ok" });
  expect(readFileSync(bench.folder.at("deep/er/c.txt"), "utf8")).toBe("gone\n");
  expect(await bench.run("move_file", { path: "a.ts", to: "b.txt" })).toMatchObject({ outcome: "failed" });
  expect(await bench.run("move_file", { path: "folder", to: "other" })).toMatchObject({ outcome: "failed" });
  expect(await bench.run("delete_file", { path: "folder" })).toMatchObject({ outcome: "failed" });
  expect(await bench.run("delete_file", { path: "nope" })).toMatchObject({ outcome: "failed" });
  expect(await bench.beforehand("delete_file", { path: "nope" })).toMatchObject({ outcome: "failed" });
  expect(await bench.beforehand("move_file", { path: "nope", to: "x" })).toMatchObject({ outcome: "failed" });
  expect(await bench.beforehand("move_file", { path: "b.txt", to: "x" })).toBeUndefined();
  expect(await bench.preview("delete_file", { path: "b.txt" })).toMatchObject({ type: "diff", change: "delete", removed: 2 });
  expect(await bench.run("delete_file", { path: "b.txt" })).toMatchObject({ outcome: "ok", end: "−2" });
  expect(existsSync(bench.folder.at("b.txt"))).toBe(false);
});
