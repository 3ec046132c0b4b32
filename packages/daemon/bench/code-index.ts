import { mkdtempSync, readdirSync, rmSync, statSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { openCodeIndexes } from "../src/code-index/code-indexes.ts";
import { openIndexProcess } from "../src/code-index/index-process.ts";
import { runRipgrep } from "../src/system/files/ripgrep.ts";
import { filesBelow } from "../test/support/files-below.ts";
import type { Row } from "./table.ts";

const COUNTS = [2_000, 20_000] as const;
const CHANGED = 10;
const SEARCHES = 15;
const QUERY = "parse the header of a request";
const MAX_BYTES = 200_000;

/** The packages that are installed here: real code by many authors. */
const root = fileURLToPath(new URL("../../../node_modules/.pnpm", import.meta.url));
const never = new AbortController().signal;

/** Measures the index of source files, with ten times as many of them, and searches beside ripgrep. */
export async function codeIndex(): Promise<Row[]> {
  const all = filesBelow(root).filter((file) => /\.[jt]s$/.test(file) && statSync(path.join(root, file)).size < MAX_BYTES);
  const rows: Row[] = [];
  for (const count of COUNTS) rows.push(...(await measure(evenly(all, count))));
  return rows;
}

/** So many of the files, from all packages. */
const evenly = (files: readonly string[], count: number): string[] =>
  Array.from(
    { length: Math.min(count, files.length) },
    (_, i) => files[Math.trunc((i * files.length) / Math.min(count, files.length))] ?? "",
  );

async function measure(files: string[]): Promise<Row[]> {
  const folder = mkdtempSync(path.join(tmpdir(), "baton-bench-"));
  const process = openIndexProcess();
  const indexes = openCodeIndexes({
    folder,
    process,
    list: async () => ({ files, capped: false }),
    now: () => performance.now(),
    report: (problem) => globalThis.process.stderr.write(`${problem}\n`),
    waitMs: 600_000,
  });
  const search = () => timed(async () => void (await indexes.search(root, { query: QUERY, below: undefined }, () => true, never)));
  try {
    const built = await search();
    const bytes = files.reduce((sum, file) => sum + statSync(path.join(root, file)).size, 0);
    const [name = ""] = readdirSync(folder);
    const share = statSync(path.join(folder, name)).size / bytes;
    await new Promise((done) => setTimeout(done, 600)); // until a search looks at the files again
    for (const file of files.slice(0, CHANGED)) utimesSync(path.join(root, file), new Date(), new Date());
    const updated = await search();
    const searches: number[] = [];
    const scans: number[] = [];
    for (let i = 0; i < SEARCHES; i++) {
      searches.push(await search());
      scans.push(await timed(() => scan()));
    }
    const what = `${files.length.toLocaleString("en")} source files`;
    return [
      { what: `index of ${what}, built`, unit: "ms", values: [built], ...(files.length < 20_000 ? {} : { budget: "60,000 ms" }) },
      { what: "the same after ten of them changed, with a search", unit: "ms", values: [updated] },
      { what: "size of the index as a part of the files", unit: "x", values: [share], budget: "0.05" },
      {
        what: `codebase_search in ${what}`,
        unit: "ms",
        values: searches,
        reference: { what: "ripgrep over all installed files", values: scans },
      },
    ];
  } finally {
    indexes.close();
    rmSync(folder, { recursive: true });
  }
}

const scan = async (): Promise<void> => {
  const args = ["--no-config", "--no-ignore", "--count", "-i", "-g", "*.{ts,js}", "-e", "parse|header|request", "--", root];
  await runRipgrep(args, { cwd: root, separator: "\n", onLine: () => true, signal: never, timeLimitMs: 60_000 });
};

async function timed(work: () => Promise<void>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}
