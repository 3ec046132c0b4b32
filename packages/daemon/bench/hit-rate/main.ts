import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { openCodeIndexes, type CodeIndexes } from "../../src/code-index/code-indexes.ts";
import { openIndexProcess } from "../../src/code-index/index-process.ts";
import { filesByWords } from "./files-by-words.ts";
import { filesInMap } from "./files-in-map.ts";
import { hitTable, type Hits } from "./hit-table.ts";

/**
 * Counts how often `codebase_search` and the map of the repository name the files that a commit changed, if the prompt is the title of the
 * commit and the folder is that before it. Reads the history of Baton's own repository, or of the one in the second argument. The first
 * argument is the number of commits. Writes `docs/reports/code-search.md`.
 */
const COMMITS = Number(process.argv[2] ?? 200);
const repository = path.resolve(process.argv[3] ?? fileURLToPath(new URL("../../../..", import.meta.url)));
const SOURCE = /(^|\/)src\/.*\.(tsx?|jsx?|mjs|py|go|rs|java|rb|php|cs|c|cc|cpp|h)$/;
const TEST = /\.test\.\w+$/;
/** A commit that changes more files is no single task. */
const MAX_TOUCHED = 8;
const FIRST = 10;
const BUDGETS = [1_000, 2_000] as const;
const CHARACTERS_PER_TOKEN = 3.5;

const git = (...args: string[]) => execFileSync("git", args, { cwd: repository, encoding: "utf8", maxBuffer: 1e9 });
const lines = (text: string) => text.split("\n").filter((line) => line !== "");
const never = new AbortController().signal;

/** Moves on with each commit, so that a search looks at the files again. */
let now = 0;
const folder = mkdtempSync(path.join(tmpdir(), "baton-hits-"));
const tree = path.join(folder, "tree");
const filesHere = () => lines(execFileSync("git", ["ls-files"], { cwd: tree, encoding: "utf8", maxBuffer: 1e9 }));
git("worktree", "add", "-q", "--detach", tree, "HEAD");
const indexes = openCodeIndexes({
  folder: path.join(folder, "index"),
  process: openIndexProcess(),
  list: async () => ({ files: filesHere(), capped: false }),
  now: () => now,
  report: (problem) => process.stderr.write(`${problem}\n`),
  waitMs: 600_000,
});

try {
  const hits: Hits = new Map();
  let count = 0;
  for (const commit of lines(git("log", "--no-merges", "--format=%H", "-n", String(COMMITS * 4)))) {
    if (count === COMMITS) break;
    const touched = lines(git("diff", "--name-only", "--diff-filter=M", `${commit}~1`, commit)).filter(
      (file) => SOURCE.test(file) && !TEST.test(file),
    );
    if (touched.length === 0 || touched.length > MAX_TOUCHED) continue;
    execFileSync("git", ["checkout", "-q", "--force", `${commit}~1`], { cwd: tree });
    now += 10_000;
    const title = git("log", "-1", "--format=%s", commit).trim();
    for (const [what, named] of await answers(indexes, title)) {
      const shares = hits.get(what) ?? [];
      shares.push(touched.filter((file) => named.includes(file)).length / touched.length);
      hits.set(what, shares);
    }
    count++;
    if (count % 20 === 0) process.stderr.write(`${count} commits\n`);
  }
  const page = hitTable(hits, count);
  writeFileSync(new URL("../../../../docs/reports/code-search.md", import.meta.url), page);
  process.stdout.write(page);
} finally {
  indexes.close();
  git("worktree", "remove", "--force", tree);
  rmSync(folder, { recursive: true });
}

/** The files that each way to look names, best first. */
async function answers({ search, map }: CodeIndexes, title: string): Promise<[what: string, files: string[]][]> {
  const found = await search(tree, { query: title, below: undefined }, () => true, never);
  if ("fault" in found) throw new Error(found.fault);
  const ripgrep = filesByWords(tree, title);
  const rows: [string, string[]][] = [
    [`codebase_search, its ${FIRST} files`, found.found.map(({ path: file }) => file)],
    [`ripgrep for each word, the ${FIRST} files with most words`, ripgrep.slice(0, FIRST)],
  ];
  for (const tokens of BUDGETS) {
    const size = `${tokens.toLocaleString("en")} tokens`;
    rows.push(
      [`map about the prompt, ${size}`, filesInMap(await map(tree, { query: title, tokens }, () => true))],
      [`map without a prompt, ${size}`, filesInMap(await map(tree, { query: "", tokens }, () => true))],
      [`plain list of files, ${size}`, within(filesHere(), tokens)],
      [`list of ripgrep's files, ${size}`, within(ripgrep, tokens)],
    );
  }
  return rows;
}

/** The first paths that fit into so many tokens. */
function within(files: readonly string[], tokens: number): string[] {
  let used = 0;
  return files.filter((file) => (used += file.length + 1) <= tokens * CHARACTERS_PER_TOKEN);
}
