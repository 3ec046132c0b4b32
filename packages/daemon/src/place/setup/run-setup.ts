import { spawn } from "node:child_process";
import type { PlaceState } from "@baton/core/place/place-state";

/** The outcome of commands. `output`: the end of what they printed. */
type SetupResult = { ok: true; output: string } | { ok: false; why: string; output: string };

const TIME_LIMIT_MS = 10 * 60_000;
const MAX_OUTPUT = 20_000;

/**
 * Runs the setup or teardown commands of a place, one after the other, until one fails. They have no terminal, so a command that asks fails.
 * The variables are those of Baton and, for scripts that were written for other tools, theirs.
 */
export async function runSetup(
  commands: readonly string[],
  place: PlaceState,
  env: Readonly<Record<string, string>>,
  timeLimitMs = TIME_LIMIT_MS,
): Promise<SetupResult> {
  let output = "";
  const deadline = Date.now() + timeLimitMs;
  for (const command of commands) {
    output = `${output}$ ${firstLine(command)}\n`.slice(-MAX_OUTPUT);
    const ended = await runCommand(command, place.root, { ...env, ...variables(place) }, deadline - Date.now(), (text) => {
      output = (output + text).slice(-MAX_OUTPUT);
    });
    if (ended !== undefined) return { ok: false, why: `\`${firstLine(command)}\` ${ended}`, output };
  }
  return { ok: true, output };
}

/** Resolves to how the command failed, or undefined. Ends all of its processes at the time limit. */
function runCommand(
  command: string,
  cwd: string,
  env: Record<string, string>,
  timeLimitMs: number,
  onOutput: (text: string) => void,
): Promise<string | undefined> {
  return new Promise((resolve) => {
    const isScript = command.startsWith("#!");
    const shell = isScript ? (/^#!\s*(?:\S*\/env\s+)?(\S+)/.exec(command)?.[1] ?? "sh") : "bash";
    const child = spawn(shell, ["-c", command], { cwd, env, detached: true, stdio: ["ignore", "pipe", "pipe"] });
    let timedOut = false;
    const end = () => {
      timedOut = true;
      try {
        if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
      } catch {
        // it has ended meanwhile
      }
    };
    const timer = setTimeout(end, Math.max(0, timeLimitMs));
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", onOutput);
    const done = (how: string | undefined) => {
      clearTimeout(timer);
      resolve(how);
    };
    child.once("error", (error) => done(`could not be started: ${error.message}`));
    child.once("exit", (code, signal) => {
      if (timedOut) return done("did not end in time");
      done(code === 0 ? undefined : signal ? `was ended by ${signal}` : `ended with ${code}`);
    });
  });
}

const firstLine = (command: string): string => command.split("\n").find((line) => line.trim() !== "" && !line.startsWith("#!")) ?? command;

const variables = ({ root, checkout, name, branch }: PlaceState): Record<string, string> => ({
  BATON_PLACE: root,
  BATON_PLACE_NAME: name,
  BATON_SOURCE: checkout,
  BATON_BRANCH: branch ?? "",
  CODEX_WORKTREE_PATH: root,
  CODEX_SOURCE_TREE_PATH: checkout,
  WORKTREE_PATH: root,
  REPO_PATH: checkout,
  ROOT_WORKTREE_PATH: checkout,
  ZED_WORKTREE_ROOT: root,
  ZED_MAIN_GIT_WORKTREE: checkout,
});
