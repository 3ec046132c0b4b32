import { existsSync } from "node:fs";
import { cp, mkdir, mkdtemp, readFile, realpath, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { fetchRepository, MARKETPLACE_LIMITS, type FetchResult } from "./fetch-repository.ts";
import { CLAUDE_FILE } from "../manifest.ts";
import { readMarketplace, type ListedSource } from "../marketplace.ts";
import { packPackage } from "./pack-package.ts";
import { sourceText, type PluginSource } from "../plugin-source.ts";
import { isWithinPlugin, listPluginFiles } from "../list-plugin-files.ts";
import { unpackTarball } from "./unpack-tarball.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** Fetches a plugin to `to`, an empty folder. No code of it runs: git and npm are processes of their own, without hooks and scripts. */
export async function fetchPlugin(source: PluginSource, to: string, env: Env): Promise<FetchResult> {
  switch (source.kind) {
    case "folder":
      return copyFolder(source.folder, to);
    case "git":
      return fetchRepository(source, to, env);
    case "npm":
      return fetchPackage(source, to, env);
    case "marketplace":
      return fetchListed(source, to, env);
  }
}

/** Fetches a plugin of a marketplace, from there or from the place that the marketplace names. */
async function fetchListed({ name, market }: Extract<PluginSource, { kind: "marketplace" }>, to: string, env: Env): Promise<FetchResult> {
  const root = market.kind === "folder" ? market.folder : await mkdtemp(`${to}-market-`);
  try {
    const fetched = market.kind === "folder" ? { pinned: "" } : await fetchRepository(market, root, env, MARKETPLACE_LIMITS);
    if ("problem" in fetched) return fetched;
    const listed = await readMarketplace(root, name);
    if ("problem" in listed) return { problem: `${sourceText(market)} cannot be used: ${listed.problem}` };
    const got = "source" in listed.place ? await fetchFolderOf(listed.place, to, env) : await copyInside(root, listed.place.folder, to);
    if ("problem" in got) return got;
    const survey = await listPluginFiles(to); // nothing may be written over a link that leads elsewhere
    if ("problem" in survey) return { problem: `${name} cannot be a plugin: ${survey.problem}` };
    await addManifest(to, listed.manifest);
    return "source" in listed.place ? got : fetched;
  } finally {
    if (market.kind === "git") await rm(root, { recursive: true, force: true });
  }
}

/** Fetches a folder of a repository, or a whole repository or package. */
async function fetchFolderOf({ source, folder }: Extract<ListedSource, { source: object }>, to: string, env: Env): Promise<FetchResult> {
  if (folder === "." || source.kind !== "git") return fetchPlugin(source, to, env);
  const whole = await mkdtemp(`${to}-whole-`);
  try {
    const fetched = await fetchRepository(source, whole, env, MARKETPLACE_LIMITS);
    if ("problem" in fetched) return fetched;
    const copied = await copyInside(whole, folder, to);
    return "problem" in copied ? copied : fetched;
  } finally {
    await rm(whole, { recursive: true, force: true });
  }
}

/** Copies a folder that is in another one, even if links lead to it. */
async function copyInside(root: string, folder: string, to: string): Promise<FetchResult> {
  const real = await realpath(path.join(root, folder)).catch(() => undefined);
  if (real === undefined) return { problem: `There is no folder ${folder} in the place that names it.` };
  if (!isWithinPlugin("", path.relative(await realpath(root), real).replaceAll(path.sep, "/") || "."))
    return { problem: `${folder} is a link that leads out of the place that names it.` };
  return copyFolder(real, to);
}

/** Writes the manifest that the entry of a marketplace stands for, if the plugin has none. */
async function addManifest(to: string, manifest: Record<string, unknown>): Promise<void> {
  const file = path.join(to, ...CLAUDE_FILE.split("/"));
  if (existsSync(file) || existsSync(path.join(to, "plugin.json"))) return;
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, `${JSON.stringify(manifest, undefined, 2)}\n`);
}

async function copyFolder(folder: string, to: string): Promise<FetchResult> {
  const stats = await stat(folder).catch(() => undefined);
  if (!stats?.isDirectory()) return { problem: `${folder} is not a folder.` };
  const survey = await listPluginFiles(folder); // before the copy, because the folder may be a whole disk
  if ("problem" in survey) return { problem: `${folder} cannot be a plugin: ${survey.problem}` };
  for (const { name } of survey.files) {
    const [from, target] = [path.join(folder, name), path.join(to, name)];
    await mkdir(path.dirname(target), { recursive: true });
    await cp(from, target, { verbatimSymlinks: true });
  }
  return { pinned: "" };
}

async function fetchPackage({ name, version }: Extract<PluginSource, { kind: "npm" }>, to: string, env: Env): Promise<FetchResult> {
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
