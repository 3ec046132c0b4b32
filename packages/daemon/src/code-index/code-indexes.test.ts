import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { filesBelow } from "../../test/support/files-below.ts";
import { Folder } from "../../test/support/folder.ts";
import { openCodeIndexes, type CodeIndexes, type CodeSearchResult } from "./code-indexes.ts";
import { openIndexProcess } from "./index-process.ts";

const everything = (_: string): boolean => true;
const never = new AbortController().signal;

/** Indexes of folders with real files, in a real process. */
class Bench {
  readonly folder = new Folder();
  readonly process = openIndexProcess();
  readonly problems: string[] = [];
  readonly hidden = new Set<string>();
  readonly indexes: CodeIndexes;
  #now = 0;

  constructor(index = this.folder.at("index")) {
    this.indexes = openCodeIndexes({
      folder: index,
      process: this.process,
      list: async (workspace) => ({ files: filesBelow(workspace).filter((file) => !this.hidden.has(file)), capped: false }),
      now: () => (this.#now += 10_000), // every request looks at the files again
      report: (problem) => this.problems.push(problem),
      waitMs: 60_000,
    });
  }

  workspace(name: string, files: Record<string, string>): string {
    const root = this.folder.at(name);
    for (const [file, text] of Object.entries(files)) {
      mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
      writeFileSync(path.join(root, file), text);
    }
    return root;
  }

  async find(workspace: string, query: string, mayShow = everything, below?: string): Promise<CodeSearchResult> {
    const result = await this.indexes.search(workspace, { query, below }, mayShow, never);
    if ("fault" in result) throw new Error(result.fault);
    return result;
  }

  async files(workspace: string, query: string): Promise<string[]> {
    return (await this.find(workspace, query)).found.map(({ path: file }) => file);
  }

  [Symbol.dispose](): void {
    this.indexes.close();
    this.folder[Symbol.dispose]();
  }
}

/** So many modules. The animal of the last one occurs once. */
const modules = (count: number): Record<string, string> =>
  Object.fromEntries(
    Array.from({ length: count }, (_, i) => [
      `src/part${i % 10}/module${i}.ts`,
      `export function run${i}() {\n  return ${i === count - 1 ? '"zebra"' : `run${i + 1}`};\n}\n`,
    ]),
  );

test("a search finds new and changed files at once, and shows only what it may show", async () => {
  using bench = new Bench();
  const root = bench.workspace("a", {
    "src/cart.ts": "export function addToCart() {}\n",
    "keys.txt": "cart password\n",
    "lib/cart.ts": "// cart\n",
  });
  expect(await bench.files(root, "add to cart")).toEqual(expect.arrayContaining(["src/cart.ts", "keys.txt", "lib/cart.ts"]));
  bench.workspace("a", { "src/cart.ts": "export function zebraStripes() {}\n" });
  expect(await bench.files(root, "zebra stripes")).toEqual(["src/cart.ts"]);
  const limited = await bench.find(root, "cart", (file) => file !== "keys.txt");
  expect(limited.found.map(({ path: file }) => file)).not.toContain("keys.txt");
  expect(limited).toMatchObject({ notes: [] });
  expect((await bench.find(root, "cart", everything, "lib")).found.map(({ path: file }) => file)).toEqual(["lib/cart.ts"]);
  bench.hidden.add("keys.txt");
  expect(await bench.files(root, "password")).toEqual([]);
});

test("ten folders have an index each, and searches in them at the same time do not mix", async () => {
  using bench = new Bench();
  const roots = Array.from({ length: 10 }, (_, i) =>
    bench.workspace(`w${i}`, { [`only${i}.md`]: `common word, animal${"abcdefghij"[i]}\n` }),
  );
  const searched = await Promise.all([...roots, ...roots].map((root) => bench.files(root, "common")));
  expect(searched).toEqual([...roots, ...roots].map((_, i) => [`only${i % 10}.md`]));
  expect(readdirSync(bench.folder.at("index")).filter((name) => name.endsWith(".db"))).toHaveLength(10);
});

/** Starts a search and kills the process while it builds the index. */
async function killDuring(bench: Bench, root: string, afterMs: number): ReturnType<CodeIndexes["search"]> {
  const search = bench.indexes.search(root, { query: "zebra", below: undefined }, everything, never);
  await sleep(afterMs);
  const pid = bench.process.pid();
  if (pid !== undefined) process.kill(pid, "SIGKILL");
  return search;
}

test("a killed process continues where it was, and nobody notices more than a search that fails", async () => {
  using bench = new Bench();
  const root = bench.workspace("a", modules(1_000));
  for (const afterMs of [300, 700]) await killDuring(bench, root, afterMs);
  expect(await bench.files(root, "zebra")).toEqual(["src/part9/module999.ts"]);
  expect((await bench.files(root, "run77"))[0]).toBe("src/part7/module77.ts");
});

test("a process that ends again and again is not started for the same folder any more, and the reason is given", async () => {
  using bench = new Bench();
  const root = bench.workspace("a", modules(1_000));
  const other = bench.workspace("b", { "a.md": "zebra\n" });
  for (let i = 0; i < 3; i++) await killDuring(bench, root, 100);
  const { notes } = await bench.find(root, "zebra");
  expect(notes.join("\n")).toContain("ended 3 times");
  expect(bench.problems.join("\n")).toContain("ended 3 times");
  expect(await bench.files(other, "zebra")).toEqual(["a.md"]);
});

test.each([
  ["deleted", (file: string) => rmSync(file)],
  ["damaged", (file: string) => writeFileSync(file, "no database".repeat(10_000))],
])("an index that is %s while the process runs is built again", async (_, damage) => {
  using bench = new Bench();
  const root = bench.workspace("a", { "a.md": "zebra\n" });
  expect(await bench.files(root, "zebra")).toEqual(["a.md"]);
  const [name = ""] = readdirSync(bench.folder.at("index"));
  damage(bench.folder.at(`index/${name}`));
  bench.workspace("a", { "b.md": "zebra and more\n" });
  await bench.indexes.search(root, { query: "zebra", below: undefined }, everything, never); // may fail
  expect((await bench.files(root, "zebra")).toSorted()).toEqual(["a.md", "b.md"]);
});

test("indexes of folders that are gone, and those that nobody used for a month, are removed", async () => {
  using bench = new Bench();
  const roots = ["gone", "old", "kept"].map((name) => bench.workspace(name, { "a.md": `zebra ${name}\n` }));
  for (const root of roots) await bench.files(root, "zebra");
  const [gone = "", old = "", kept = ""] = roots;
  bench.indexes.close();
  const names = readdirSync(bench.folder.at("index"));
  rmSync(gone, { recursive: true });
  await bench.files(kept, "zebra");
  expect(readdirSync(bench.folder.at("index"))).toHaveLength(names.length - 1);
  bench.indexes.close();
  for (const name of readdirSync(bench.folder.at("index"))) utimesSync(bench.folder.at(`index/${name}`), new Date(), new Date(0));
  await bench.files(kept, "zebra");
  expect(readdirSync(bench.folder.at("index"))).toHaveLength(1);
  expect(await bench.files(old, "zebra")).toEqual(["a.md"]);
});

test("the map names the files that matter for the question within its budget, and none that may not be shown", async () => {
  using bench = new Bench();
  const root = bench.workspace("a", modules(300));
  await bench.files(root, "zebra");
  for (const tokens of [50, 200, 1_000]) {
    const map = await bench.indexes.map(root, { query: "zebra", tokens }, everything);
    expect(map).toContain("module299.ts: run299");
    expect(map.length).toBeLessThanOrEqual(tokens * 3.5);
  }
  expect(await bench.indexes.map(root, { query: "zebra", tokens: 1_000 }, (file) => !file.includes("module299"))).not.toContain(
    "module299",
  );
  expect(await bench.indexes.map(root, { query: "", tokens: 5 }, everything)).toBe("");
});

const isRoot = process.platform === "linux" && process.getuid?.() === 0;

test.runIf(isRoot)("a full disk is reported, and the index is built when there is space again", async () => {
  const disk = mkdtempSync(path.join(tmpdir(), "baton-disk-"));
  execFileSync("mount", ["-t", "tmpfs", "-o", "size=200k", "tmpfs", disk]);
  try {
    using bench = new Bench(path.join(disk, "index"));
    writeFileSync(path.join(disk, "filler"), Buffer.alloc(184_000));
    const root = bench.workspace("a", modules(1_000));
    await bench.indexes.search(root, { query: "zebra", below: undefined }, everything, never); // answers from the files that were indexed before
    expect(bench.problems.join("\n")).toContain("The disk is full");
    rmSync(path.join(disk, "filler"));
    execFileSync("mount", ["-o", "remount,size=4m", disk]);
    expect(await bench.files(root, "zebra")).toEqual(["src/part9/module999.ts"]);
    expect((await bench.find(root, "zebra")).notes).toEqual([]);
  } finally {
    execFileSync("umount", ["-l", disk]);
    rmSync(disk, { recursive: true });
  }
});
