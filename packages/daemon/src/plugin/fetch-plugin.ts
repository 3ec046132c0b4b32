import { cp, mkdir, mkdtemp, readFile, rm, stat } from "node:fs/promises";
import path from "node:path";
import { fetchRepository, type Fetched } from "./fetch-repository.ts";
import { packPackage } from "./pack-package.ts";
import type { PluginSource } from "./plugin-source.ts";
import { surveyFolder } from "./survey-folder.ts";
import { unpackTarball } from "./unpack-tarball.ts";

type Env = Readonly<Record<string, string | undefined>>;

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
