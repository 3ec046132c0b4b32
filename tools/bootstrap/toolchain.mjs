import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { withoutNpm } from "./hand-over.mjs";
import { exclusively } from "./lock.mjs";
import { fail, finish, onWindows, progress, root, run, runBeside } from "./process.mjs";

const executable = (name) => (onWindows ? `${name}.exe` : name);

/** This process's Node if it is new enough, otherwise the one pinned in tools/node. */
export function findNode() {
  if (isNewEnough(process.versions.node)) return process.execPath;
  const name = `node-${onWindows ? "win" : process.platform}-${process.arch}`;
  const find = (folder) => existing(path.join(folder, name, "bin", executable("node")));
  const advice = `or install Node.js 24.15 or newer yourself (this is ${process.version}): https://nodejs.org`;
  return npmTool("node", { what: "fetching Node 24", find, name, advice });
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

/** The same, started asynchronously. */
export function turboBeside(args) {
  return runBeside(findNode(), turboCall(args), { env: environment() });
}

const turboCall = (args) => [path.join(root, "node_modules", "turbo", "bin", "turbo"), "run", ...args];

function isNewEnough(version) {
  const [major, minor] = version.split(".").map(Number);
  return major > 24 || (major === 24 && minor >= 15);
}

function findPnpm() {
  const name = `@pnpm/exe.${process.platform}-${process.arch}`;
  const find = (folder) => {
    const builds = path.join(folder, "@pnpm");
    return (existsSync(builds) ? readdirSync(builds) : []).map((build) => path.join(builds, build, executable("pnpm"))).find(existsSync);
  };
  return npmTool("pnpm", { what: "fetching pnpm", find, name, advice: `or check whether ${name} exists` });
}

const existing = (file) => (existsSync(file) ? file : undefined);

/**
 * The program that npm installs for this machine, by the `os` and `cpu` fields of packages; see docs/decisions/toolchain.md.
 * Such a package is optional, so npm succeeds without it, and `find` says whether it is there.
 */
function npmTool(tool, { what, find, name, advice }) {
  const folder = path.join(root, "tools", tool);
  const modules = path.join(folder, "node_modules");
  const npm = (args, options) =>
    run(
      "npm",
      [...args, "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error", "--fetch-retries=1", "--fetch-retry-mintimeout=1000"],
      {
        cwd: folder,
        shell: onWindows,
        quiet: true,
        ...options,
      },
    );
  const isThere = () => find(modules) !== undefined;
  const missing = () => {
    const { packages } = JSON.parse(readFileSync(path.join(folder, "package-lock.json"), "utf8"));
    const version = packages[`node_modules/${name}`]?.version;
    if (version === undefined) fail(`Baton knows no build of ${tool} for ${process.platform}-${process.arch}.`);
    const { stderr } = npm(["pack", "--dry-run", `${name}@${version}`], { isHeard: false }); // prints the reason, which an install does not
    fail(
      `${name}@${version} could not be installed. ${causeIn(String(stderr))}Run the same command again once npm can fetch it, ${advice}`,
    );
  };
  once(folder, ["package-lock.json"], what, () => npm(["ci"]), { isThere, missing });
  return find(modules);
}

/** Installs the generator of the site. Nothing else needs it, so it is no package of the workspace. */
export function installSite() {
  const folder = path.join(root, "tools", "site");
  once(folder, ["package-lock.json"], "installing the generator of the site", () =>
    run("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"], { cwd: folder, shell: onWindows, quiet: true }),
  );
}

/** The lines of npm's output that say what went wrong, joined. */
function causeIn(stderr) {
  const lines = stderr.split("\n").flatMap((line) => /^npm (?:error|ERR!) (.*)/.exec(line)?.[1] ?? []);
  const said = lines.filter((line) => !/^(A complete log|.*_logs\/|errno|syscall|type|network (This is|In most|'proxy')|$)/.test(line));
  return said.length === 0 ? "" : `npm says: ${said.slice(0, 3).join("; ")}. `;
}

/** Runs `work` only if the inputs have changed since it last succeeded, or its result is missing. */
function once(folder, inputs, what, work, { isThere = () => true, missing } = {}) {
  const hash = createHash("sha256");
  for (const input of inputs) hash.update(readFileSync(path.join(folder, input)));
  const key = hash.digest("hex");
  const stamp = path.join(folder, "node_modules", ".bootstrap");
  const isDone = () => existsSync(stamp) && readFileSync(stamp, "utf8") === key && isThere();
  if (isDone()) return;
  exclusively(() => {
    if (isDone()) return;
    progress(what);
    finish(work());
    if (!isThere()) missing();
    writeFileSync(stamp, key);
  });
}

function environment() {
  const env = { ...withoutNpm(process.env), TURBO_TELEMETRY_DISABLED: "1", DO_NOT_TRACK: "1" };
  const pathKey = Object.keys(env).find((key) => key.toUpperCase() === "PATH") ?? "PATH";
  const first = [path.dirname(findNode()), path.dirname(findPnpm()), path.join(root, "node_modules", ".bin")];
  if (!process.stdout.isTTY) env["NO_COLOR"] = "1"; // turbo asks for colors wherever it prints to
  return { ...env, [pathKey]: [...first, env[pathKey]].join(path.delimiter) };
}
