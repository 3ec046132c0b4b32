import { mkdirSync, readFileSync, rmSync, statSync, symlinkSync, truncateSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { execFileSync } from "node:child_process";
import { filesBelow } from "../../test/support/files-below.ts";
import { Folder } from "../../test/support/folder.ts";
import { analyzeAlone } from "./analysis/analysis-threads.ts";
import { findCandidates, indexNames } from "./find-candidates.ts";
import { findExcerpts } from "./find-excerpts.ts";
import { openIndexFile, removeIndexFile, type IndexFile } from "./index-database.ts";
import { openParser } from "./analysis/parse-symbols.ts";
import { importantFiles } from "./repository-map.ts";
import { updateIndex } from "./update-index.ts";

const parse = await openParser();
const analyze = analyzeAlone(parse);

class Bench {
  readonly #folder = new Folder();
  readonly root = path.join(this.#folder.path, "work");
  readonly file = path.join(this.#folder.path, "index", "a.db");
  index: IndexFile;

  constructor(files: Record<string, string | Buffer> = {}) {
    mkdirSync(this.root);
    for (const [name, text] of Object.entries(files)) this.write(name, text);
    this.index = openIndexFile(this.file, this.root);
  }

  write(name: string, text: string | Buffer): void {
    mkdirSync(path.dirname(path.join(this.root, name)), { recursive: true });
    writeFileSync(path.join(this.root, name), text);
  }

  /** Updates the index with all files of the folder or these. */
  async update(paths = this.all()): Promise<unknown> {
    return updateIndex(this.index, { root: this.root, paths, analyze, progress: () => undefined });
  }

  all(): string[] {
    return filesBelow(this.root);
  }

  find(query: string): string[] {
    return findCandidates(query, this.index, indexNames(this.index.catalog)).candidates.map(({ path: file }) => file);
  }

  reopen(): void {
    this.index.close();
    this.index = openIndexFile(this.file, this.root);
  }

  [Symbol.dispose](): void {
    this.index.close();
    this.#folder[Symbol.dispose]();
  }
}

const shop = {
  "src/cart.ts": "export class ShoppingCart {\n  addItem(item: string) {\n    return item;\n  }\n}\n",
  "src/price.ts": "import { ShoppingCart } from './cart';\nexport const priceOf = (cart: ShoppingCart) => 3;\n",
  "src/main.ts": "import { ShoppingCart } from './cart';\nimport { priceOf } from './price';\nnew ShoppingCart();\n",
  "README.md": "# Shop\n\nHow customers pay their invoices.\n",
};

test("files are found by words of their text, symbols and path, also after the index was closed", async () => {
  using bench = new Bench(shop);
  expect(await bench.update()).toEqual({ changed: 4 });
  for (let i = 0; i < 2; i++) {
    expect(bench.find("Where is an item added to the shopping cart?")[0]).toBe("src/cart.ts");
    expect(bench.find("customer invoice")).toEqual(["README.md"]);
    expect(bench.find("priceOf")[0]).toBe("src/price.ts");
    expect(bench.find("main")[0]).toBe("src/main.ts");
    expect(bench.find("zebra")).toEqual([]);
    expect(await bench.update()).toEqual({ changed: 0 });
    bench.reopen();
  }
});

test("a changed, a new and a removed file count from the next update on", async () => {
  using bench = new Bench(shop);
  await bench.update();
  bench.write("README.md", "Now about zebras and nothing else at all.\n");
  bench.write("docs/new.md", "Giraffes live here.\n");
  rmSync(path.join(bench.root, "src/price.ts"));
  expect(await bench.update()).toEqual({ changed: 3 });
  for (let i = 0; i < 2; i++) {
    expect(bench.find("zebra")).toEqual(["README.md"]);
    expect(bench.find("invoice")).toEqual([]);
    expect(bench.find("giraffe")).toEqual(["docs/new.md"]);
    expect(bench.find("priceOf")).not.toContain("src/price.ts");
    bench.reopen();
  }
});

test("a change within a millisecond that keeps the size is found by the time of the file", async () => {
  using bench = new Bench({ "a.md": "zebra\n" });
  await bench.update();
  bench.write("a.md", "tiger\n");
  utimesSync(path.join(bench.root, "a.md"), new Date(), new Date(Date.now() + 5));
  await bench.update();
  expect([bench.find("zebra"), bench.find("tiger")]).toEqual([[], ["a.md"]]);
});

test("words of a file that is hidden from now on do not remain in the index", async () => {
  using bench = new Bench({ ...shop, "secret.txt": "xylophonekey is the secret\n" });
  await bench.update();
  expect(readFileSync(bench.file).includes("xylophonekey")).toBe(true);
  const visible = bench.all().filter((name) => name !== "secret.txt");
  expect(await bench.update(visible)).toEqual({ rebuild: true });
  bench.index.close();
  removeIndexFile(bench.file);
  bench.reopen();
  await bench.update(visible);
  expect(readFileSync(bench.file).includes("xylophonekey")).toBe(false);
  expect(bench.find("shopping cart")[0]).toBe("src/cart.ts");
});

test("binary, minified, huge, broken and odd files do no harm, and links are not followed", async () => {
  using bench = new Bench(shop);
  bench.write("binary.ts", Buffer.from([0, 1, 2, ...Buffer.from("function zebra() {}")]));
  bench.write("small.min.js", `function zebra(){${"a=1;".repeat(2_000)}}`);
  bench.write("huge.ts", "function zebra() {}\n".repeat(100_000));
  bench.write("latin1.md", Buffer.from("Die Größe der Zebras\n".repeat(3), "latin1"));
  bench.write("deep.json", "[".repeat(30_000) + "]".repeat(30_000));
  bench.write("deep.ts", "(".repeat(20_000));
  bench.write("empty.ts", "");
  bench.write("long-name.ts", `function ${"a".repeat(5_000)}() {}\n`);
  symlinkSync(path.join(bench.root, "src/cart.ts"), path.join(bench.root, "link.ts"));
  symlinkSync(bench.root, path.join(bench.root, "loop"));
  execFileSync("mkfifo", [path.join(bench.root, "pipe.ts")]);
  const listed = [...bench.all(), "link.ts", "loop", "pipe.ts", "missing.ts", "src"];
  await bench.update(listed);
  expect(bench.find("zebra")).toEqual(["latin1.md"]);
  expect(bench.find("shopping cart")).not.toContain("link.ts");
  expect(bench.find("huge")).toContain("huge.ts");
  expect(bench.find("shopping cart")[0]).toBe("src/cart.ts");
});

test("an index that is damaged at any place is built again or still works", async () => {
  using bench = new Bench(shop);
  await bench.update();
  bench.index.close();
  const whole = readFileSync(bench.file);
  const damages = [
    ...Array.from({ length: 24 }, (_, i) => () => {
      const bytes = Buffer.from(whole);
      bytes.fill(0x5a, Math.trunc((i / 24) * whole.length), Math.trunc((i / 24) * whole.length) + 200);
      writeFileSync(bench.file, bytes);
    }),
    () => truncateSync(bench.file, 5_000),
    () => truncateSync(bench.file, 0),
    () => writeFileSync(bench.file, "not a database, but a text that is long enough to be one".repeat(100)),
    () => rmSync(bench.file),
  ];
  const errors = new Set<string>();
  for (const damage of damages) {
    writeFileSync(bench.file, whole);
    damage();
    try {
      bench.index = openIndexFile(bench.file, bench.root);
      await bench.update();
      bench.find("shopping cart");
    } catch (error) {
      // The process that owns the index removes it after such an error.
      errors.add(error instanceof Error && "code" in error ? String(error.code) : String(error));
    }
    bench.index.close();
  }
  bench.index = openIndexFile(bench.file, bench.root);
  expect([...errors].filter((code) => !/^SQLITE_(CORRUPT|NOTADB)/.test(code))).toEqual([]);
});

test("excerpts have the lines of the file as it is now, and the definition around them", async () => {
  using bench = new Bench(shop);
  await bench.update();
  bench.write("src/cart.ts", `// A new first line.\n${shop["src/cart.ts"]}`);
  const { candidates, words } = findCandidates("add item to cart", bench.index, indexNames(bench.index.catalog));
  const [first] = await findExcerpts(candidates, { root: bench.root, words, parse, most: 1 });
  expect(first).toMatchObject({ path: "src/cart.ts", excerpts: [{ from: 2, to: 3, symbol: "class ShoppingCart" }] });
  expect(first?.excerpts[0]?.lines).toEqual(["export class ShoppingCart {", "  addItem(item: string) {"]);
});

test("the files to which others refer are the important ones, with their symbols", async () => {
  using bench = new Bench(shop);
  await bench.update();
  const map = importantFiles(bench.index.catalog.entries, { most: 10, candidates: [] });
  expect(map.map(({ path: file }) => file)).toEqual(["src/cart.ts", "src/price.ts"]);
  expect(map[0]?.names).toEqual(["ShoppingCart", "addItem"]);
});

test("the index of Baton's own source is smaller than a twentieth of it", async () => {
  using bench = new Bench();
  const root = path.resolve(import.meta.dirname, "..");
  const paths = filesBelow(root);
  await updateIndex(bench.index, { root, paths, analyze, progress: () => undefined });
  const size = paths.reduce((sum, name) => sum + statSync(path.join(root, name)).size, 0);
  expect(statSync(bench.file).size / size).toBeLessThan(0.05);
});
