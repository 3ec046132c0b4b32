import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { inflateSync } from "node:zlib";
import * as z from "zod";
import type { ToolEnvironment, EnvironmentProblem } from "./environment.ts";
import { readSmallFile } from "./detect-environment-tools.ts";
import { programProblem, type RunEnvironmentProgram } from "./run-environment-program.ts";

/**
 * Runs `direnv export json`. The user approved the file in Baton, so direnv's own list of allowed files is not asked and not changed: direnv
 * gets a settings folder for this one run that allows exactly this file. `scratch`: a private folder of the daemon.
 */
export async function readDirenv(
  folder: string,
  program: string,
  run: RunEnvironmentProgram,
  { scratch, config }: DirenvFolders,
): Promise<ToolEnvironment | EnvironmentProblem> {
  const own = await ownSettings(path.join(folder, ".envrc"), { scratch, config });
  try {
    const exit = await run({
      file: program,
      args: ["export", "json"],
      env: { DIRENV_CONFIG: own, DIRENV_LOG_FORMAT: "" },
      visible: [own, config],
    });
    if ("problem" in exit || exit.code !== 0) return { problem: programProblem("direnv", exit) };
    return parseExport(exit.stdout, run.path);
  } finally {
    rmSync(own, { recursive: true, force: true });
  }
}

/** `config`: the user's settings folder of direnv. */
type DirenvFolders = { scratch: string; config: string };

/** The user's settings and functions of direnv, with this file as the only allowed one. */
async function ownSettings(envrc: string, { scratch, config }: DirenvFolders): Promise<string> {
  mkdirSync(scratch, { recursive: true, mode: 0o700 });
  const own = mkdtempSync(path.join(scratch, "direnv-"));
  const { parse, stringify } = await import("smol-toml");
  const users = readSmallFile(path.join(config, "direnv.toml"));
  writeFileSync(path.join(own, "direnv.toml"), stringify({ ...(users === undefined ? {} : parse(users)), whitelist: { exact: [envrc] } }));
  for (const name of ["direnvrc", "lib"])
    if (existsSync(path.join(config, name))) symlinkSync(path.join(config, name), path.join(own, name));
  return own;
}

const Exported = z.record(z.string(), z.string().nullable());

function parseExport(text: string, base: string): ToolEnvironment | EnvironmentProblem {
  if (text.trim() === "") return { folders: [], variables: {} };
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return { problem: "direnv printed something else than variables." };
  }
  const read = Exported.safeParse(parsed);
  if (!read.success) return { problem: "direnv printed something else than variables." };
  const set = Object.entries(read.data).filter((entry): entry is [string, string] => entry[1] !== null);
  const { PATH, DIRENV_WATCHES, ...variables } = Object.fromEntries(set);
  return { folders: addedFolders(PATH, base), variables, watched: watchedFiles(DIRENV_WATCHES) };
}

/** The folders of a PATH that another one does not have. */
export function addedFolders(now: string | undefined, base: string): string[] {
  const before = new Set(base.split(path.delimiter));
  return (now ?? "").split(path.delimiter).filter((folder) => path.isAbsolute(folder) && !before.has(folder));
}

const Watches = z.array(z.looseObject({ path: z.string().optional(), Path: z.string().optional() }));

/** The files that direnv read, from its own compressed list. */
function watchedFiles(watches: string | undefined): string[] {
  if (watches === undefined) return [];
  try {
    const list = Watches.parse(
      JSON.parse(inflateSync(Buffer.from(watches, "base64url"), { maxOutputLength: 1024 * 1024 }).toString("utf8")),
    );
    return list.flatMap(({ path: lower, Path: upper }) => lower ?? upper ?? []);
  } catch {
    return [];
  }
}
