import { spawn } from "node:child_process";
import { setTimeout } from "node:timers/promises";
import { omitUndefined } from "@baton/core/text/omit-undefined";

/** The output of git as text and as bytes. After a failure, its exit code and the reason. `code` is null if git was ended. */
export type GitResult = { ok: true; out: string; bytes: Buffer } | { ok: false; why: string; code: number | null; bytes: Buffer };

/**
 * Runs git in a folder. `input` goes to its standard input, and `env` extends its environment. `signal` ends it, and so does an output of more than
 * `maxOutput` bytes.
 */
export type Git = (args: readonly string[], options?: GitOptions) => Promise<GitResult>;
type GitOptions = {
  cwd?: string;
  input?: string;
  env?: Record<string, string>;
  timeLimitMs?: number;
  maxOutput?: number;
  signal?: AbortSignal;
};

const TIME_LIMIT_MS = 10 * 60_000;
const MAX_OUTPUT = 256 * 1024 * 1024;
const MAX_COMPLAINT = 4_000;

/** No prompt may wait for a terminal, and nothing of the daemon's own environment may point git to another repository. */
const FIXED = { GIT_TERMINAL_PROMPT: "0", GIT_ASKPASS: "", SSH_ASKPASS: "", GIT_EDITOR: "true", GIT_OPTIONAL_LOCKS: "0", LC_ALL: "C" };

/** Opens git for a folder. A folder that is missing is an ordinary failure. */
export function openGit(folder: string, env: Readonly<Record<string, string | undefined>>): Git {
  const own = { ...withoutGit(env), ...FIXED };
  const isAdding = ([command, action]: readonly string[]) => command === "worktree" && action === "add";
  return (args, options = {}) => {
    const run = () => runGit(args, folder, own, options);
    return isAdding(args) ? run() : retryWhileWorktreesChange(run); // adding may have created the branch before it fails
  };
}

/**
 * Runs git again while another program adds a worktree to the repository or removes one. Git reads the entries of all worktrees, and one that
 * has no content for a moment, or that is suddenly gone, makes it fail. For work that can be repeated.
 */
export async function retryWhileWorktreesChange<R extends GitResult>(run: () => Promise<R>): Promise<R> {
  for (let attempt = 1; ; attempt++) {
    const result = await run();
    if (result.ok || !CHANGING.test(result.why) || attempt === MAX_ATTEMPTS) return result;
    await setTimeout(RETRY_MS * attempt);
  }
}

const CHANGING = /^failed to read \S*worktrees\/\S+\/commondir|^Invalid path '.*\/worktrees\/[^/']+': No such file or directory/;
const MAX_ATTEMPTS = 6;
const RETRY_MS = 50;

/** `SSH_AUTH_SOCK` stays, because the user may fetch and push with it. */
const withoutGit = (env: Readonly<Record<string, string | undefined>>): Record<string, string> =>
  omitUndefined(Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith("GIT_")))) as Record<string, string>;

function runGit(
  args: readonly string[],
  folder: string,
  own: Record<string, string>,
  { cwd = folder, input, env = {}, timeLimitMs = TIME_LIMIT_MS, maxOutput = MAX_OUTPUT, signal: stop }: GitOptions,
): Promise<GitResult> {
  return new Promise((resolve) => {
    const child = spawn("git", [...args], { cwd, env: { ...own, ...env }, stdio: ["pipe", "pipe", "pipe"], timeout: timeLimitMs });
    const parts: Buffer[] = [];
    let size = 0;
    let complaint = "";
    child.stdout.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size > maxOutput) child.kill("SIGKILL");
      else parts.push(chunk);
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => (complaint = (complaint + text).slice(0, MAX_COMPLAINT)));
    child.once("error", (error) => resolve({ ok: false, why: notStarted(error, cwd), code: null, bytes: NOTHING }));
    child.once("close", (code, signal) => {
      const bytes = Buffer.concat(parts);
      resolve(
        code === 0 ? { ok: true, out: bytes.toString("utf8"), bytes } : { ok: false, why: reason(complaint, code, signal), code, bytes },
      );
    });
    const kill = () => child.kill("SIGKILL");
    stop?.addEventListener("abort", kill);
    child.once("close", () => stop?.removeEventListener("abort", kill));
    child.stdin.on("error", () => undefined); // git may end before it has read everything
    child.stdin.end(input ?? "");
  });
}

const NOTHING = Buffer.alloc(0);

const notStarted = (error: Error, cwd: string): string =>
  "code" in error && error.code === "ENOENT"
    ? `git is not installed, or there is no folder ${cwd}`
    : `git could not be started: ${error.message}`;

/** The first line of git's complaint that says what is wrong. Later ones are consequences: "Could not reset index file". */
function reason(complaint: string, code: number | null, signal: string | null): string {
  const lines = complaint.split("\n").filter((line) => line.trim() !== "");
  const named = lines.find((line) => /^(?:fatal|error): /.test(line)) ?? lines.at(-1);
  if (named) return named.replace(/^(?:fatal|error): /, "").replace(/\.$/, "");
  return signal ? `git was ended by ${signal}` : `git ended with ${code}`;
}

/** The output without its last line end. Undefined after a failure. */
export async function gitLine(git: Git, args: readonly string[], options?: GitOptions): Promise<string | undefined> {
  const result = await git(args, options);
  return result.ok ? result.out.replace(/\n$/, "") : undefined;
}

/** The parts of an output that NUL characters separate. */
export const nulSeparated = (out: string): string[] => out.split("\0").filter((part) => part !== "");
