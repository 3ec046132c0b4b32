import { spawn } from "node:child_process";
import path from "node:path";
import { isatty } from "node:tty";
import { onWindows, root } from "./process.mjs";

/** npm changes to the top of the checkout, but paths that the user types are relative to their folder. */
export function callersFolder() {
  return process.env["INIT_CWD"] ?? process.cwd();
}

/** Gives the program the terminal, the signals and the environment, as if it had been started directly. */
export function handOver(program, args, cwd) {
  const env = withoutNpm(process.env);
  if (program === process.execPath && process.execve && !onWindows) {
    process.chdir(cwd);
    process.execve(program, [program, ...args], env);
  }
  const child = spawn(program, args, { cwd, stdio: "inherit", env });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"]) process.on(signal, () => pass(child, signal));
  endWithParent(child);
  child.on("error", (error) => {
    throw error;
  });
  child.on("exit", (status, signal) => {
    if (signal) leaveBy(signal);
    else process.exit(status);
  });
}

/** Variables that npm adds for scripts: its settings, paths and names. */
export function withoutNpm(environment) {
  const env = { ...environment };
  for (const key of Object.keys(env)) if (/^npm_|^INIT_CWD$/i.test(key)) delete env[key];
  if (environment["npm_node_execpath"] === env["NODE"]) delete env["NODE"];
  const pathKey = Object.keys(env).find((key) => key.toUpperCase() === "PATH") ?? "PATH";
  const entries = (env[pathKey] ?? "").split(path.delimiter);
  env[pathKey] = entries.filter((entry) => !addedByNpm(entry)).join(path.delimiter);
  return env;
}

/** Ctrl+C on a terminal reaches the whole group. Forwarding it would look like pressing it twice. */
function pass(child, signal) {
  if ((signal === "SIGINT" || signal === "SIGQUIT") && [0, 1, 2].some((fd) => isatty(fd))) return;
  child.kill(signal);
}

/** npm sends a signal to its shell, and a plain `sh` dies of it without notice. */
function endWithParent(child) {
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    child.kill("SIGTERM");
  }, 500);
}

function leaveBy(signal) {
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
}

function addedByNpm(entry) {
  if (path.basename(entry) === "node-gyp-bin") return true;
  const isBin = path.basename(entry) === ".bin" && path.basename(path.dirname(entry)) === "node_modules";
  const owner = path.dirname(path.dirname(entry));
  return isBin && (owner === root || root.startsWith(owner.endsWith(path.sep) ? owner : owner + path.sep));
}
