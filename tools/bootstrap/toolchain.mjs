import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { withoutNpm } from "./hand-over.mjs";
import { exclusively } from "./lock.mjs";
import { fail, finish, onWindows, progress, root, run, runBeside } from "./process.mjs";

const executable = (name) => (onWindows ? `${name}.exe` : name);

/** This process's Node when it is new enough, else the one pinned in tools/node. */
export function findNode() {
  if (isNewEnough(process.versions.node)) return process.execPath;
  const found = path.join(
    npmTool("node", "fetching Node 24"),
    `node-${onWindows ? "win" : process.platform}-${process.arch}`,
    "bin",
    executable("node"),
  );
  return existsSync(found) ? found : fail(`Node.js 24.15 or newer is needed (this is ${process.version}): https://nodejs.org`);
}

export function install() {
  const inputs = ["pnpm-lock.yaml", "pnpm-workspace.yaml"];
  once(root, inputs, "installing packages", () => pnpm(["install", "--frozen-lockfile"], { quiet: true }));
}

export function pnpm(args, options) {
  return run(findPnpm(), args, { ...options, env: environment() });
}

export function turbo(args, options) {
  return run(findNode(), turboCall(args), { ...options, env: environment() });
}

/** The same beside another one. */
export function turboBeside(args) {
  return runBeside(findNode(), turboCall(args), { env: environment() });
}

const turboCall = (args) => [path.join(root, "node_modules", "turbo", "bin", "turbo"), "run", ...args];

function isNewEnough(version) {
  const [major, minor] = version.split(".").map(Number);
  return major > 24 || (major === 24 && minor >= 15);
}

function findPnpm() {
  const folder = path.join(npmTool("pnpm", "fetching pnpm"), "@pnpm");
  const found = readdirSync(folder)
    .map((name) => path.join(folder, name, executable("pnpm")))
    .find(existsSync);
  return found ?? fail(`There is no pnpm build for ${process.platform}-${process.arch}.`);
}

/** npm installs these two because it honours their `os` and `cpu` fields; see docs/decisions/toolchain.md. */
function npmTool(name, what) {
  const folder = path.join(root, "tools", name);
  const options = { cwd: folder, shell: onWindows, quiet: true };
  once(folder, ["package-lock.json"], what, () =>
    run("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"], options),
  );
  return path.join(folder, "node_modules");
}

/** Does `work` only when the inputs changed since it last succeeded. */
function once(folder, inputs, what, work) {
  const hash = createHash("sha256");
  for (const input of inputs) hash.update(readFileSync(path.join(folder, input)));
  const key = hash.digest("hex");
  const stamp = path.join(folder, "node_modules", ".bootstrap");
  const isDone = () => existsSync(stamp) && readFileSync(stamp, "utf8") === key;
  if (isDone()) return;
  exclusively(() => {
    if (isDone()) return;
    progress(what);
    finish(work());
    writeFileSync(stamp, key);
  });
}

function environment() {
  const env = { ...withoutNpm(process.env), TURBO_TELEMETRY_DISABLED: "1", DO_NOT_TRACK: "1" };
  const pathKey = Object.keys(env).find((key) => key.toUpperCase() === "PATH") ?? "PATH";
  const first = [path.dirname(findNode()), path.dirname(findPnpm()), path.join(root, "node_modules", ".bin")];
  if (!process.stdout.isTTY) env["NO_COLOR"] = "1"; // turbo asks for colours wherever it prints to
  return { ...env, [pathKey]: [...first, env[pathKey]].join(path.delimiter) };
}
