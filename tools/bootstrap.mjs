// Runs on Node 18 or newer with npm. Finds Node 24 and pnpm, installs from the lockfiles, builds, and runs a task.
import { spawnSync } from "node:child_process";
import path from "node:path";
import { buildIsCurrent, rememberBuild, scanInputs } from "./bootstrap/build-stamp.mjs";
import { callersFolder, handOver } from "./bootstrap/hand-over.mjs";
import { writeLauncher } from "./bootstrap/launcher.mjs";
import { exclusively } from "./bootstrap/lock.mjs";
import { fail, finish, progress, root, succeeded } from "./bootstrap/process.mjs";
import { brokenTasks, clearResults, countResults, failedTests } from "./bootstrap/results.mjs";
import { findNode, install, installSite, pnpm, turbo, turboBeside } from "./bootstrap/toolchain.mjs";

const client = path.join(root, "packages", "cli", "dist", "main.js");

const nightly = path.join(root, "packages", "daemon", "test", "nightly");

const thorough = ["--continue=dependencies-successful", "--output-logs=new-only", "--summarize"];

/**
 * Lanes run side by side, and the packages of a lane one after the other. Scenarios mostly wait for processes, sockets and
 * browsers, so those of the daemon and the client run two files at a time, even on two cores.
 */
const lanes = [
  ["@baton/daemon", "@baton/cli"],
  ["@baton/web", "baton-vscode"],
];

const tasks = {
  start(args) {
    finish(bundle());
    handOver(findNode(), [client, ...args], callersFolder());
  },
  build() {
    finish(bundle());
    finish(turbo(["types"]));
  },
  async check() {
    install();
    await report(["formatted", "lint", "types", "unit"]);
  },
  async test() {
    install();
    await report(["formatted", "lint", "types", "unit", "editor"], lanes);
    spawnSync(findNode(), ["--conditions=@baton/source", path.join(nightly, "times.ts")], { stdio: "inherit" });
  },
  bench(args) {
    finish(bundle());
    const measuring = (room) => ["--conditions=@baton/source", path.join(root, "packages", room, "bench", "main.ts"), ...args];
    finish(spawnSync(findNode(), measuring("daemon"), { cwd: root, stdio: "inherit" }));
    handOver(findNode(), measuring("web"), root);
  },
  release(args) {
    if (args[0]?.startsWith("-")) fail(`${args[0]} is not an option. Run \`npm run release -- FOLDER\`; without a folder it is release.`);
    finish(bundle());
    finish(turbo(["types"]));
    finish(pnpm(["--filter", "baton-vscode", "run", "package"]));
    handOver(findNode(), [path.join(root, "tools", "release", "main.ts"), ...args], callersFolder());
  },
  nightly(args) {
    finish(bundle());
    handOver(findNode(), ["--conditions=@baton/source", path.join(nightly, "main.ts"), ...args], root);
  },
  docs() {
    install();
    handOver(findNode(), ["--conditions=@baton/source", path.join(root, "tools", "docs", "main.ts")], root);
  },
  site() {
    installSite();
    handOver(findNode(), [path.join(root, "tools", "site", "main.mjs")], root);
  },
  pictures(args) {
    finish(bundle());
    handOver(
      findNode(),
      ["--conditions=@baton/source", path.join(root, "packages", "vscode", "test", "pictures", "main.ts"), ...args],
      root,
    );
  },
  format() {
    install();
    handOver(findNode(), [path.join(root, "node_modules", "oxfmt", "bin", "oxfmt"), "--write"], root);
  },
  pnpm(args) {
    finish(pnpm(args, { cwd: callersFolder() }));
  },
};

const [name = "", ...args] = process.argv.slice(2);
const task = tasks[name] ?? fail(`There is no task "${name}". The tasks are: ${Object.keys(tasks).join(", ")}.`);
await task(args);

/** Builds the programs. If nothing has changed, it starts no other program. */
function bundle() {
  if (buildIsCurrent(findNode())) return succeeded;
  install();
  return exclusively(() => {
    if (buildIsCurrent(findNode())) return succeeded;
    const inputs = scanInputs();
    const outcome = turbo(["bundle", "--output-logs=errors-only"], { quiet: true });
    if (outcome.status !== 0) return outcome;
    if (!String(outcome.stdout).includes("FULL TURBO")) progress("built");
    writeLauncher(findNode(), client);
    rememberBuild(findNode(), inputs);
    return outcome;
  });
}

/** Runs everything to its end, even after failures, and prints how many tests passed. */
async function report(checks, beside = []) {
  clearResults();
  const outcomes = [turbo([...checks, ...thorough])];
  if (beside.length > 0) {
    outcomes.push(bundle(), ...(await Promise.all(beside.map(inTurn))).flat());
  }
  const tested = beside.length > 0 ? [...checks, "scenario"] : checks;
  const { passed, failed } = countResults(tested);
  const broken = outcomes.some((outcome) => outcome.status !== 0);
  for (const { task, lastWords } of brokenTasks()) console.log(`\nfailed: ${task}\n${lastWords}`);
  for (const test of failedTests(tested)) console.log(`\nfailed: ${test}`);
  console.log(`\n${passed} passed, ${failed} failed`);
  process.exitCode = broken || failed > 0 ? 1 : 0;
}

async function inTurn(packages) {
  const outcomes = [];
  for (const name of packages) outcomes.push(await scenariosOf(name));
  return outcomes;
}

/** `--only`: the build must not run again, because others use its result. */
function scenariosOf(name) {
  return turboBeside(["scenario", "--only", `--filter=${name}`, ...thorough]);
}
