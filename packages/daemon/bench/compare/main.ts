import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { cpus, release, totalmem } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { bareLoop } from "../bare/bare-loop.ts";
import { figure, median, quantile } from "../table.ts";
import { agents, type Agent } from "./agents.ts";
import { editSectionOf, withEditSection } from "./edit-section.ts";
import { calmest, type Figures } from "./measure.ts";

/**
 * Compares Baton with other agents on the same work: a model on loopback asks for one small file in each of 400 steps and
 * answers at once. The argument is a folder in which other agents are installed with npm. Missing ones are left out. Writes
 * `docs/reports/comparison.md`. Run it without a network (`unshare -rn`, with `lo` up) to be sure that no agent calls home.
 */
const STEPS = 400;
const RUNS = 3;
const installed = path.resolve(process.argv[2] ?? ".");
const only = process.argv[3];

const nothing: Figures = {
  name: "",
  version: "–",
  firstKiB: Number.NaN,
  gaps: [],
  at40: Number.NaN,
  at400: Number.NaN,
  seconds: Number.NaN,
  load: Number.NaN,
};

const done: Figures[] = [];
for (const agent of agents) {
  if (only !== undefined && !agent.name.toLowerCase().includes(only.toLowerCase())) continue;
  const version = versionOf(agent);
  if (version === undefined) {
    process.stderr.write(`${agent.name} is not installed in ${installed}\n`);
    continue;
  }
  const figures = await calmest(agent, version, { installed, steps: STEPS, runs: RUNS });
  process.stderr.write(`${rowOf(figures)}\n`);
  done.push(figures);
}
done.push({ ...nothing, name: "a bare loop", gaps: await bareLoop(STEPS, "read") });
const page = pageOf(done);
process.stdout.write(page);
const report = fileURLToPath(new URL("../../../../docs/reports/comparison.md", import.meta.url));
if (only === undefined) writeFileSync(report, withEditSection(page, editSectionOf(readFileSync(report, "utf8"))));

function versionOf({ package: name }: Agent): string | undefined {
  const file =
    name === undefined ? new URL("../../package.json", import.meta.url) : path.join(installed, "node_modules", name, "package.json");
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as { version: string }).version : undefined;
}

/** Steps 3 to 7, 36 to 44 and 390 to 400. Growth compares the first group with the last. */
function rowOf({ name, version, firstKiB, gaps, at40, at400, seconds, load }: Figures): string {
  const [early, middle, late] = [gaps.slice(2, 7), gaps.slice(35, 44), gaps.slice(389, 400)].map(median);
  const cells = [firstKiB, early, middle, late, quantile(gaps.slice(2), 0.95), (late ?? 0) / (early ?? 1), at40, at400, seconds, load];
  return `| ${name} | ${version} | ${cells.map((cell) => (cell === undefined || Number.isNaN(cell) ? "–" : figure(cell))).join(" | ")} |`;
}

function pageOf(rows: readonly Figures[]): string {
  const machine = `${cpus()[0]?.model ?? "unknown processor"}, ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GiB, ${process.platform} ${release()}, Node ${process.versions.node}`;
  return `# Comparison with other agents

Measured on ${new Date().toISOString().slice(0, 10)}: ${machine}. Each agent runs headless in its own home, without approvals, and without a
network except a model on loopback that answers at once. In each of ${STEPS} steps the model requests one small file, with the read tool of
the agent, or with a shell command if the agent has no such tool.

- *Own time* is the time from the end of the model's answer to the next request.
- *Memory* includes all processes of the agent. For Baton, these are the daemon and the client.
- *Growth* compares step 400 with step 5, each averaged with its neighbors.
- The table shows the run with the lowest load out of ${RUNS} runs. *Load* is the average number of runnable programs.
- The *bare loop* has no log, no permissions and no daemon, so it shows the minimum on this machine at that time.
- Only Baton writes every step to disk before it acts. Its times depend on the disk too.

| agent | version | first request, KiB | own time at step 5, ms | at step 40 | at step 400 | p95 of all | growth | MiB after 40 steps | MiB after 400 | all, s | load |
| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
${rows.map(rowOf).join("\n")}

Run again with \`node --conditions=@baton/source packages/daemon/bench/compare/main.ts FOLDER\`, where FOLDER is one with a package.json
of its own in which ${agents.flatMap(({ package: name }) => name ?? []).join(", ")} have been installed with npm;
without a network: \`unshare -rn sh -c "ip link set lo up; node ..."\`.
`;
}
