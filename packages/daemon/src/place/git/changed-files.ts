import { nulSeparated, type Git } from "./git.ts";
import { treeOfFiles, type GitFailure } from "./git-objects.ts";

/**
 * A file that differs between two trees. A content is null where the tree has no file. `kind` is that of the newer one, or of the deleted
 * one.
 */
export type PlaceFileChange = {
  path: string;
  before: Buffer | null;
  after: Buffer | null;
  kind: "file" | "executable" | "link" | "repository";
};

/** The other side of a comparison with a place. */
export type Comparison = { scope: "base" } | { scope: "uncommitted" } | { scope: "branch"; branch: string };

const AT_ONCE = 8;
const MAX_FILES = 20_000;

/**
 * The files of a place, committed or not, that differ from its base, from its last commit, or from where it left a branch.
 */
export async function readPlaceFileChanges(
  git: Git,
  baseCommit: string,
  comparison: Comparison,
): Promise<{ ok: true; files: PlaceFileChange[] } | GitFailure> {
  const from = await startOf(git, baseCommit, comparison);
  if (!from.ok) return from;
  const now = await treeOfFiles(git);
  if (!now.ok) return now;
  return differences(git, from.commit, now.tree);
}

async function startOf(git: Git, baseCommit: string, comparison: Comparison): Promise<{ ok: true; commit: string } | GitFailure> {
  if (comparison.scope === "uncommitted") return { ok: true, commit: "HEAD" };
  if (comparison.scope === "base") return { ok: true, commit: baseCommit };
  const { branch } = comparison;
  const base = branch.startsWith("-") ? undefined : await git(["merge-base", "HEAD", branch]);
  return base?.ok ? { ok: true, commit: base.out.trim() } : { ok: false, why: `there is no branch "${branch}" with a common commit` };
}

/** The files that differ between two trees or commits, with their contents as they are on disk. */
async function differences(git: Git, from: string, to: string): Promise<{ ok: true; files: PlaceFileChange[] } | GitFailure> {
  const raw = await git(["diff-tree", "-r", "-z", "--no-renames", "--raw", from, to]);
  if (!raw.ok) return raw;
  const records = parseRaw(raw.out);
  if (records.length > MAX_FILES) return { ok: false, why: `${records.length} files differ, and Baton compares at most ${MAX_FILES}` };
  const files: PlaceFileChange[] = [];
  for (let i = 0; i < records.length; i += AT_ONCE)
    files.push(...(await Promise.all(records.slice(i, i + AT_ONCE).map((record) => contentsOf(git, record, { from, to })))));
  return { ok: true, files };
}

type RawRecord = { path: string; modeBefore: string; modeAfter: string };

function parseRaw(out: string): RawRecord[] {
  const parts = nulSeparated(out);
  const records: RawRecord[] = [];
  for (let i = 0; i + 1 < parts.length; i += 2) {
    const [modeBefore = "", modeAfter = ""] = (parts[i] ?? "").slice(1).split(" ");
    records.push({ path: parts[i + 1] ?? "", modeBefore, modeAfter });
  }
  return records;
}

const NO_FILE = "000000";
const KINDS: Readonly<Record<string, PlaceFileChange["kind"]>> = { "100755": "executable", "120000": "link", "160000": "repository" };

async function contentsOf(
  git: Git,
  { path, modeBefore, modeAfter }: RawRecord,
  { from, to }: { from: string; to: string },
): Promise<PlaceFileChange> {
  const kind = KINDS[modeAfter === NO_FILE ? modeBefore : modeAfter] ?? "file";
  if (kind === "repository") return { path, before: null, after: null, kind };
  const [before, after] = await Promise.all([
    modeBefore === NO_FILE ? null : contentAt(git, from, path, KINDS[modeBefore] === "link"),
    modeAfter === NO_FILE ? null : contentAt(git, to, path, KINDS[modeAfter] === "link"),
  ]);
  return { path, before, after, kind };
}

/** The content of a file as git writes it into a checkout. That of a link is its target. */
async function contentAt(git: Git, tree: string, file: string, isLink: boolean): Promise<Buffer> {
  const content = await git(["cat-file", isLink ? "blob" : "--filters", `${tree}:${file}`]);
  if (!content.ok) throw new Error(`git cannot read ${file} of ${tree}: ${content.why}`);
  return content.bytes;
}
