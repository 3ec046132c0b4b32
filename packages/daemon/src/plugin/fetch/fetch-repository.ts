import { readdir, rm, stat } from "node:fs/promises";
import path from "node:path";
import { nulSeparated, openGit, type Git } from "../../place/git/git.ts";
import { MAX_TARBALL } from "./pack-package.ts";
import type { PluginSource } from "../plugin-source.ts";
import { MAX_BYTES, MAX_FILES } from "../list-plugin-files.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** A fetched plugin. `pinned`: the commit, or the version with its integrity. A folder is pinned by the hash of its content only. */
export type FetchResult = { pinned: string } | { problem: string };

/** How much a repository may have: bytes that are downloaded, bytes of its files, and files. */
type RepositoryLimits = { download: number; bytes: number; files: number };
const LIMITS: RepositoryLimits = { download: MAX_TARBALL, bytes: MAX_BYTES, files: MAX_FILES };
/** A marketplace has many plugins. Each of them has the usual limits. */
export const MARKETPLACE_LIMITS: RepositoryLimits = { download: 4 * MAX_TARBALL, bytes: 4 * MAX_BYTES, files: 10 * MAX_FILES };

/**
 * No command of the repository or of the user's config runs, and only these protocols are used. What is downloaded stays packed, so that its size
 * is known before anything is unpacked.
 */
const SAFE = [
  "protocol.ext.allow=never",
  "core.hooksPath=/dev/null",
  "core.fsmonitor=false",
  "core.symlinks=true",
  "core.bigFileThreshold=1m",
  "fetch.unpackLimit=1",
  "submodule.recurse=false",
  "filter.lfs.smudge=",
  "filter.lfs.process=",
  "filter.lfs.required=false",
  "transfer.fsckObjects=true",
].flatMap((setting) => ["-c", setting]);
const GIT_ENV = { GIT_ALLOW_PROTOCOL: "https:http:ssh:file", GIT_LFS_SKIP_SMUDGE: "1" };
const GIT_LIMIT_MS = 5 * 60_000;

/** Fetches one commit of a repository to `to`, an empty folder, unless it is larger than a plugin may be. */
export async function fetchRepository(
  { address, ref = "HEAD" }: Extract<PluginSource, { kind: "git" }>,
  to: string,
  env: Env,
  limits = LIMITS,
): Promise<FetchResult> {
  const git = openGit(to, env);
  const run: Git = (args, options) => git([...SAFE, ...args], { env: GIT_ENV, timeLimitMs: GIT_LIMIT_MS, ...options });
  const started = await run(["init", "--quiet", "--template=", "."]);
  if (!started.ok) return { problem: `${address} cannot be fetched: ${started.why}.` };
  const tooLarge = await download(run, address, ref, path.join(to, ".git", "objects"), limits);
  if (tooLarge !== undefined) return { problem: tooLarge };
  const excess = await excessOf(run, limits);
  if (excess !== undefined) return { problem: `${address} cannot be a plugin: ${excess}` };
  const checkedOut = await run(["checkout", "--quiet", "--detach", "FETCH_HEAD"]);
  if (!checkedOut.ok) return { problem: `${address} cannot be fetched: ${checkedOut.why}.` };
  const commit = await run(["rev-parse", "HEAD"]);
  if (!commit.ok) return { problem: `${address} has no commit ${ref}: ${commit.why}.` };
  await rm(path.join(to, ".git"), { recursive: true, force: true });
  return { pinned: commit.out.trim() };
}

const LOOK_MS = 100;

/** Downloads a commit to a folder of objects, and stops when that is too large. Returns the problem, if there is one. */
async function download(
  run: Git,
  address: string,
  ref: string,
  folder: string,
  { download: most }: RepositoryLimits,
): Promise<string | undefined> {
  const tooLarge = new AbortController();
  const look = async () => {
    if ((await sizeOf(folder)) > most) tooLarge.abort();
  };
  const watching = setInterval(() => void look().catch(() => undefined), LOOK_MS); // git removes its temporary files meanwhile
  const args = ["fetch", "--quiet", "--depth=1", "--no-tags", "--no-recurse-submodules", "--", address, ref];
  const fetched = await run(args, { signal: tooLarge.signal });
  clearInterval(watching);
  if (fetched.ok) await look();
  if (tooLarge.signal.aborted) return `${address} cannot be a plugin: its download is larger than ${inMegabytes(most)}.`;
  return fetched.ok ? undefined : `${address} cannot be fetched: ${fetched.why}.`;
}

async function sizeOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  const sizes = await Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map((entry) =>
        stat(path.join(entry.parentPath, entry.name)).then(
          ({ size }) => size,
          () => 0,
        ),
      ),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** The longest line about a file, in bytes: its mode, its hash, its size and its path. */
const MAX_LINE = 4_200;

/** Why the files of the fetched commit are too many or too large. A small download can contain any number of files of any size. */
async function excessOf(run: Git, { bytes, files }: RepositoryLimits): Promise<string | undefined> {
  const listed = await run(["ls-tree", "-r", "-l", "-z", "FETCH_HEAD"], { maxOutput: files * MAX_LINE });
  const lines = listed.ok ? nulSeparated(listed.out) : undefined;
  if (!lines && listed.bytes.length < files) return `its files cannot be listed: ${listed.ok ? "" : listed.why}.`;
  if (!lines || lines.length > files) return `it has more than ${files} files.`;
  const size = lines.reduce((sum, line) => sum + (Number(/^\S+ \S+ \S+ +(\d+)\t/.exec(line)?.[1]) || 0), 0);
  return size > bytes ? `it is larger than ${inMegabytes(bytes)}.` : undefined;
}

const inMegabytes = (bytes: number): string => `${bytes / 1024 / 1024} MB`;
