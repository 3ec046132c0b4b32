import { omitUndefined } from "@baton/core/text/omit-undefined";
import type { EnvironmentContext } from "@baton/core/protocol/environment-context";
import { openGit, type Git } from "./git/git.ts";

type Env = Readonly<Record<string, string | undefined>>;

const MAX_MS = 500;

/** Looks at a folder when a session starts. Only in a trusted folder does Baton run git, because a repository's settings may name programs. */
export async function readEnvironmentContext(
  folder: string,
  { env, now, trusted }: { env: Env; now: number; trusted: boolean },
): Promise<EnvironmentContext> {
  const git = trusted ? await gitState(openGit(folder, env)) : undefined;
  return { date: localDate(now), ...omitUndefined({ git }) };
}

/** The branch, and whether there are changes. Undefined outside of git, or if git takes too long. */
async function gitState(git: Git): Promise<EnvironmentContext["git"]> {
  const status = await git(["-c", "core.fsmonitor=false", "status", ...STATUS_FLAGS], { timeLimitMs: MAX_MS });
  if (!status.ok) return undefined;
  const lines = status.out.split("\n");
  const branch = lines.find((line) => line.startsWith(BRANCH))?.slice(BRANCH.length);
  return { branch: branch === undefined || branch === "(detached)" ? null : branch, changed: lines.some((line) => /^[12u?] /.test(line)) };
}

/** In a submodule, git would run what the settings there name. */
const STATUS_FLAGS = ["--porcelain=v2", "--branch", "--untracked-files=normal", "--ignore-submodules=dirty"];
const BRANCH = "# branch.head ";

function localDate(now: number): string {
  const date = new Date(now);
  const two = (number: number) => String(number).padStart(2, "0");
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}
