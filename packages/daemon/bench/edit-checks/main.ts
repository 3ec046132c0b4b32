import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { cpus, release, tmpdir, totalmem } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { installed } from "../../test/support/language/language-project.ts";
import { figure, median, quantile } from "../table.ts";
import { openBareServers } from "./bare-servers.ts";
import { allFiles, projects } from "./projects.ts";
import { memoryWithBaton, startDaemon, stepsWithBaton } from "./with-baton.ts";

/**
 * Measures what checking edits costs: the memory of ten sessions with the language servers of five languages, and the time that a check adds
 * to a step, beside the bare servers in the same run. Servers that are not installed are left out. Writes `docs/reports/edit-checks.md`.
 */
const SESSIONS = 10;
const EDITS = 30;

const folder = mkdtempSync(path.join(tmpdir(), "baton-bench-"));
for (const [file, text] of Object.entries(allFiles)) {
  mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
  writeFileSync(path.join(folder, file), text);
}
symlinkSync(installed, path.join(folder, "node_modules"));

const bare = openBareServers(folder);
const known = projects.filter(
  (project) => bare.definitionOf(project) && (project.server !== "gopls" || spawnSync("go", ["version"]).status === 0),
);
const bareTimes = new Map<string, number[]>();
for (const project of known) await bare.change(project, SESSIONS, 2);
const bareMemory = await bare.memory();
for (const project of known) bareTimes.set(project.server, await bare.change(project, EDITS, 100));
await bare.close();
rmSync(folder, { recursive: true });

const off = await startDaemon(false);
const offMemory = await memoryWithBaton(off, SESSIONS, known);
const on = await startDaemon(true);
const onMemory = await memoryWithBaton(on, SESSIONS, known);
const rows: string[] = [];
for (const project of known) {
  const [without, withChecks] = [await stepsWithBaton(off, project, EDITS), await stepsWithBaton(on, project, EDITS)];
  const times = bareTimes.get(project.server) ?? [];
  const added = withChecks.map((time) => time - median(without));
  rows.push(
    `| ${project.server} | ${figure(median(without))} | ${figure(median(added))} | ${figure(quantile(added, 0.95))} | ${figure(median(times))} | ${figure(quantile(times, 0.95))} |`,
  );
}
await off[Symbol.asyncDispose]();
await on[Symbol.asyncDispose]();

const machine = `${cpus()[0]?.model ?? "unknown processor"}, ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GiB, ${process.platform} ${release()}, Node ${process.versions.node}`;
const page = `# The cost of checks after edits

Measured on ${new Date().toISOString().slice(0, 10)} by \`npm run pnpm -- --filter @baton/daemon edit-checks\`: ${machine}. The folder has
30 modules of each language, and for each a file that uses it. The servers are ${known.map(({ server }) => server).join(", ")}.

## Memory

After each of ${SESSIONS} sessions has edited one module of each language. Memory that processes share counts once.

| what | MiB |
| --- | ---: |
| a daemon with ${SESSIONS} sessions, without language servers | ${figure(offMemory)} |
| the ${known.length} bare servers, with the same changes | ${figure(bareMemory)} |
| a daemon with ${SESSIONS} sessions and the ${known.length} servers | ${figure(onMemory)} |
| the last beside the sum of the others | ${figure(onMemory - bareMemory - offMemory)} |

All sessions of a folder share one server for each language, so a session more adds no server. The daemon and the servers share the memory of
Node, which the first two rows count twice. So the last row can be negative.

## Time

${EDITS} steps, each with one edit, in milliseconds. *Added*: how much longer a step takes than without language servers. Baton gives the server
the text before the edit and the text after it, looks for the files that use what changed, and compares the errors of both states. *Bare*: the
server gets the changed text and reports the errors of this one file.

| server | step without checks | added, median | added, p95 | bare, median | bare, p95 |
| --- | ---: | ---: | ---: | ---: | ---: |
${rows.join("\n")}
`;
process.stdout.write(page);
writeFileSync(fileURLToPath(new URL("../../../../docs/reports/edit-checks.md", import.meta.url)), page);
