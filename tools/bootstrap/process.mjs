import { spawn, spawnSync } from "node:child_process";
import path from "node:path";
import { fileURLToPath } from "node:url";

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..", "..");
export const succeeded = { status: 0, signal: null };
export const onWindows = process.platform === "win32";

/** Messages for the user go to stderr, because stdout belongs to the started program. */
export function progress(what) {
  console.error(`baton: ${what}`);
}

export function fail(why) {
  console.error(`baton: ${why}`);
  process.exit(1);
}

/** Runs a program to its end. A quiet one prints only when it fails. */
export function run(command, args, { quiet = false, isHeard = true, ...options } = {}) {
  const outcome = spawnSync(command, args, {
    stdio: quiet ? ["ignore", "pipe", "pipe"] : "inherit",
    cwd: root,
    maxBuffer: 1 << 28,
    ...options,
  });
  if (outcome.error) fail(`${command} could not be run: ${outcome.error.message}`);
  if (quiet && isHeard && outcome.status !== 0) process.stderr.write(Buffer.concat([outcome.stdout, outcome.stderr]));
  return outcome;
}

/** Runs a program beside others. Resolves when it has ended. */
export function runBeside(command, args, options) {
  return new Promise((ended) => {
    const child = spawn(command, args, { stdio: "inherit", cwd: root, ...options });
    child.on("error", (error) => fail(`${command} could not be run: ${error.message}`));
    child.on("close", (status, signal) => ended({ status, signal }));
  });
}

/** Exits like the program did, unless it succeeded. */
export function finish({ status, signal }) {
  if (signal) process.kill(process.pid, signal);
  if (status !== 0) process.exit(status ?? 1);
}
