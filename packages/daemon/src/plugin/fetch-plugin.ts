import { cp, mkdir, mkdtemp, readFile, rm, stat } from "node:fs/promises";
import path from "node:path";
import { openGit, type Git } from "../place/git/git.ts";
import { packPackage } from "./pack-package.ts";
import type { PluginSource } from "./plugin-source.ts";
import { surveyFolder } from "./survey-folder.ts";
import { unpackTarball } from "./unpack-tarball.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** A fetched plugin. `pinned`: the commit, or the version with its integrity. A folder is pinned by the hash of its content only. */
export type Fetched = { pinned: string } | { problem: string };

/** Fetches a plugin to `to`, an empty folder. No code of it runs: git and npm are processes of their own, without hooks and scripts. */
export async function fetchPlugin(source: PluginSource, to: string, env: Env): Promise<Fetched> {
  switch (source.kind) {
    case "folder":
      return copyFolder(source.folder, to);
    case "git":
      return fetchRepository(source, to, env);
    case "npm":
      return fetchPackage(source, to, env);
  }
}

async function copyFolder(folder: string, to: string): Promise<Fetched> {
  const stats = await stat(folder).catch(() => undefined);
  if (!stats?.isDirectory()) return { problem: `${folder} is not a folder.` };
  const survey = await surveyFolder(folder); // before the copy, because the folder may be a whole disk
  if ("problem" in survey) return { problem: `${folder} cannot be a plugin: ${survey.problem}` };
  for (const { name } of survey.files) {
    const [from, target] = [path.join(folder, name), path.join(to, name)];
    await mkdir(path.dirname(target), { recursive: true });
    await cp(from, target, { verbatimSymlinks: true });
  }
  return { pinned: "" };
}

/** No command of the repository or of the user's config runs, and only these protocols are used. */
const SAFE = [
  "protocol.ext.allow=never",
  "core.hooksPath=/dev/null",
  "core.fsmonitor=false",
  "core.symlinks=true",
  "submodule.recurse=false",
  "filter.lfs.smudge=",
  "filter.lfs.process=",
  "filter.lfs.required=false",
  "transfer.fsckObjects=true",
].flatMap((setting) => ["-c", setting]);
const GIT_ENV = { GIT_ALLOW_PROTOCOL: "https:http:ssh:file", GIT_LFS_SKIP_SMUDGE: "1" };
const GIT_LIMIT_MS = 5 * 60_000;

async function fetchRepository({ address, ref = "HEAD" }: Extract<PluginSource, { kind: "git" }>, to: string, env: Env): Promise<Fetched> {
  const git = openGit(to, env);
  const run: Git = (args) => git([...SAFE, ...args], { env: GIT_ENV, timeLimitMs: GIT_LIMIT_MS });
  for (const args of [
    ["init", "--quiet", "--template=", "."],
    ["fetch", "--quiet", "--depth=1", "--no-tags", "--no-recurse-submodules", "--", address, ref],
    ["checkout", "--quiet", "--detach", "FETCH_HEAD"],
  ]) {
    const result = await run(args);
    if (!result.ok) return { problem: `${address} cannot be fetched: ${result.why}.` };
  }
  const commit = await run(["rev-parse", "HEAD"]);
  if (!commit.ok) return { problem: `${address} has no commit ${ref}: ${commit.why}.` };
  await rm(path.join(to, ".git"), { recursive: true, force: true });
  return { pinned: commit.out.trim() };
}

async function fetchPackage({ name, version }: Extract<PluginSource, { kind: "npm" }>, to: string, env: Env): Promise<Fetched> {
  const folder = await mkdtemp(`${to}-npm-`);
  try {
    const packed = await packPackage(version === undefined ? name : `${name}@${version}`, folder, env);
    if ("problem" in packed) return packed;
    const problem = await unpackTarball(await readFile(packed.file), to);
    if (problem !== undefined) return { problem: `The package ${name} cannot be a plugin: ${problem}` };
    return { pinned: `${packed.version} ${packed.integrity}` };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
