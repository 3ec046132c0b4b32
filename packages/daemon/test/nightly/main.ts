import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { cpus, release, tmpdir, totalmem } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { matrix, SIMULATED } from "./matrix.ts";
import { otherAgents } from "./other-agents.ts";
import { MAX_SECONDS, pushTime } from "./push-time.ts";
import { casesOf, countedIn, triedOf } from "./results.ts";

/**
 * Runs everything that takes too long for each push: 10,000 simulated lives, 200 kills under the load of 50 sessions, 50,000 nested
 * commands, 200,000 traced ones, all scenarios of the daemon, the conformance checks of MCP and the coverage of its scenarios, and the calls of edits beside opencode and
 * Codex. Writes `docs/reports/reliability.md` and the section about edits in `docs/reports/comparison.md`.
 */
const short = process.argv.includes("--short");
const only = process.argv.flatMap((word, i) => (process.argv[i - 1] === "--row" ? [word] : []));
/** The name of the comparison of edits, which has its own report. */
const EDITS = "edits";
const wanted = matrix.filter(({ row }) => only.length === 0 || only.includes(row));
const [lives, kills, sessions, nestings] = short ? [1_000, 20, 50, 5_000] : [10_000, 200, 50, 50_000];

const folder = fileURLToPath(new URL("../..", import.meta.url));
const table = path.join(folder, "../../docs/reports/reliability.md");
const vitest = path.join(folder, "../../node_modules/vitest/vitest.mjs");
const scratch = mkdtempSync(path.join(tmpdir(), "baton-nightly-"));
const counted = path.join(scratch, "counted.jsonl");
const night = Math.floor(Date.now() / 86_400_000);
const env = {
  BATON_TRIED: counted,
  BATON_KILLS: String(kills),
  BATON_SESSIONS: String(sessions),
  BATON_FUZZ: String(nestings),
  BATON_TRACED: short ? "20000" : "200000",
  BATON_TRACE_SEED: String(night * 1_000_000),
  BATON_DOUBLINGS: "11",
  BATON_MEGABYTES: "3000",
  BATON_DEATHS: short ? "3" : "20",
  BATON_REBUILT_LIVES: short ? "60" : "1000",
  BATON_SHARED_LIVES: short ? "10" : "1000",
  BATON_SHARED_SEED: String(night * 1_000),
  BATON_CONVERSATIONS: short ? "40" : "100",
  BATON_LOOKS: short ? "10" : "40",
  BATON_EVERY_PAIR: short ? "" : "1",
  BATON_KILL_STEP_MS: short ? "40" : "10",
  BATON_PLACES: "50",
  BATON_INCIDENTS: "1",
  BATON_PACKAGES: "1",
  BATON_PLACE_STRIDE: short ? "3" : "1",
  BATON_ESCAPE_STRIDE: "1",
  BATON_EDITS: short ? "40" : "200",
  BATON_CUT_STRIDE: short ? "10" : "1",
  ...process.env, // a number from the caller overrides it
};

const run = (...args: string[]): boolean => spawnSync(process.execPath, args, { cwd: folder, stdio: "inherit", env }).status === 0;
const tests = (project: string, ...files: string[]): boolean =>
  run(
    vitest,
    "run",
    "--project",
    project,
    "--reporter",
    "default",
    "--reporter",
    "json",
    `--outputFile.json=${path.join(scratch, `${project}.json`)}`,
    ...files,
  );

/** A push tests some widths and heights of the page. */
const clicksAtEveryWidth = (): boolean =>
  spawnSync(process.execPath, [vitest, "run", "--project", "scenario", "test/layout/still.test.ts", "test/layout/narrow.test.ts"], {
    cwd: path.join(folder, "../web"),
    stdio: "inherit",
    env: { ...env, BATON_EVERY_WIDTH: "1" },
  }).status === 0;

/** A push tests half of the pairs of transports and versions of the protocol, one package manager, and a fifth of some command lines. */
const everyPair = (): boolean =>
  run(vitest, "run", "--project", "scenario", "test/mcp/lending.test.ts", "test/sandbox/install.test.ts") &&
  run(vitest, "run", "--project", "unit", "src/permission/command/corpus.test.ts");

/** A push tests the packed extension only. */
const bothExtensions = (): boolean =>
  spawnSync(process.execPath, [vitest, "run", "--project", "scenario", "test/host.test.ts"], {
    cwd: path.join(folder, "../vscode"),
    stdio: "inherit",
    env,
  }).status === 0;

/** The same calls of edits through Baton, opencode and Codex, in one run. Fails if one of Baton's is not right. */
function comparedEdits(): boolean {
  const agents = otherAgents();
  if (agents === undefined) process.stderr.write("opencode and Codex could not be installed, so their edits are not compared.\n");
  return agents !== undefined && run("--conditions=@baton/source", "test/edit-calls/main.ts", agents);
}

const files = (folder: string) =>
  Array.from(new Set(wanted.flatMap((row) => row.tests.map(({ file }) => file)))).filter((file) => file.startsWith(folder));
const [unit, scenario] = [files("src/"), files("test/")];
const went = [
  !wanted.some(({ row }) => row === SIMULATED) || run("--conditions=@baton/source", "test/simulator/main.ts", String(lives)),
  unit.length === 0 || tests("unit", ...unit),
  scenario.length === 0 || tests("scenario", ...scenario),
  only.length > 0 || run("--conditions=@baton/source", "test/conformance/main.ts"),
  only.length > 0 || run("test/coverage/main.ts"),
  only.length > 0 || clicksAtEveryWidth(),
  only.length > 0 || everyPair(),
  only.length > 0 || bothExtensions(),
  (only.length > 0 && !only.includes(EDITS)) || comparedEdits(),
];

const cases = ["unit", "scenario"].flatMap((project) => casesOf(path.join(scratch, `${project}.json`), folder));
const before = existsSync(table) ? readFileSync(table, "utf8").split("\n") : [];
const rows = matrix.flatMap((row) => {
  if (!wanted.includes(row)) return before.filter((line) => line.startsWith(`| ${row.row} |`));
  const { tried, lost } = triedOf(row, cases, countedIn(counted));
  return `| ${row.row} | ${row.promises} | ${row.fault} | ${tried.toLocaleString("en")} | ${lost} | ${row.tests.map(({ file }) => `\`${file}\``).join(" ")} |`;
});
writeFileSync(table, page(rows));
rmSync(scratch, { recursive: true });
process.exitCode = went.every(Boolean) ? 0 : 1;

function page(lines: readonly string[]): string {
  const machine = `${cpus().length} × ${cpus()[0]?.model ?? "?"}, ${Math.round(totalmem() / 2 ** 30)} GB, ${process.platform} ${release()}, Node ${process.versions.node}`;
  return `# Reliability

\`npm run nightly${short ? " -- --short" : ""}\` wrote this page. The newest row is of ${new Date().toISOString().slice(0, 10)} (${machine}). Every push runs the same rows with smaller
numbers${tookOnPush()}.

The tests try to break these promises:

| promise | Baton promises that |
| --- | --- |
| **P1** | everything that a user saw is in the store |
| **P2** | an effect happens at most once |
| **P3** | an outcome that cannot be known is reported as unknown |
| **P4** | a request survives everything, and is answered once, for exactly what it showed |
| **P5** | every call has one result |
| **P6** | a client sees every event once and in order |
| **P7** | a fault in one part does not block the others |
| **P8** | everything has a limit |
| **P9** | in case of doubt Baton asks or stops |
| **P10** | no process keeps running after its session or the daemon has ended |
| **P11** | a mode changes only when the user changes it or approves the change |

*Cases* counts how often the fault was caused, and *broken* how often a promise was broken.

| row | promises | fault | cases | broken | tests (in packages/daemon) |
| --- | --- | --- | ---: | ---: | --- |
${lines.join("\n")}

\`npm run nightly -- --row ROW\` repeats one row and leaves the others as they are. \`node_modules/.bin/vitest run FILE\` in \`packages/daemon\`
repeats one test, and \`node --conditions=@baton/source test/simulator/main.ts 1 SEED\` one seed of the simulator. A seed that breaks a promise is
printed with the shortest run that breaks it. It is stored in \`test/simulator/kept-seeds.json\`, and every push runs it again.

[Benchmarks](benchmarks.md) measure row 15, many sessions and clients.
`;
}

/** The numbers of the last `npm test` in this checkout, if it left its results. */
function tookOnPush(): string {
  const { seconds, ran } = pushTime(folder);
  return ran === matrix.length ? `, here in ${seconds.toFixed(0)} s together, of at most ${MAX_SECONDS}` : "";
}
