import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { editSection, withEditSection } from "../../bench/compare/edit-section.ts";
import type { EditCall } from "./call-types.ts";
import { patchCalls } from "./patch-calls.ts";
import { replaceCalls } from "./replace-calls.ts";
import { runWithBaton, type Ending } from "./run-baton.ts";
import { runWithCodex } from "./run-codex.ts";
import { runWithOpencode } from "./run-opencode.ts";

/**
 * Runs the same calls through Baton's tools, opencode's `edit` and Codex's `apply_patch`, and writes the counts into
 * `docs/reports/comparison.md`. The argument is a folder in which opencode-ai and @openai/codex are installed with npm.
 */
const installed = path.resolve(process.argv[2] ?? ".");
const report = fileURLToPath(new URL("../../../../docs/reports/comparison.md", import.meta.url));

const withBaton = async (calls: readonly EditCall[]): Promise<Ending[]> => {
  const endings: Ending[] = [];
  for (const call of calls) endings.push((await runWithBaton(call)).ending);
  return endings;
};

const replaced = { baton: await withBaton(replaceCalls), other: await runWithOpencode(replaceCalls, installed) };
const patched = { baton: await withBaton(patchCalls), other: runWithCodex(patchCalls, installed) };

if (process.argv.includes("--names"))
  for (const [calls, endings] of [
    [replaceCalls, replaced.other],
    [patchCalls, patched.other],
  ] as const)
    for (const [i, call] of calls.entries()) process.stdout.write(`${endings[i]} ${call.name}\n`);

const section =
  editSection(`Measured on ${new Date().toISOString().slice(0, 10)}. The calls are modelled on what models send: exact ones, ones with pasted line numbers, other
blanks, quotes or line ends, here-documents, missing markers, and calls that have no single meaning. Each tool gets the same
call for the same files.

- *Right*: the files after the call are right. A call without a single meaning must change nothing.
- *Refused*: the call has one meaning, but the tool changes nothing. The model has to try again.
- *Wrong*: the files are neither right nor unchanged.

| calls | agent | version | right | refused | wrong |
| --- | --- | --- | ---: | ---: | ---: |
${[
  row(`${replaceCalls.length} replacements`, "Baton", undefined, replaced.baton),
  row(`${replaceCalls.length} replacements`, "opencode", "opencode-ai", replaced.other),
  row(`${patchCalls.length} patches`, "Baton", undefined, patched.baton),
  row(`${patchCalls.length} patches`, "Codex", "@openai/codex", patched.other),
].join("\n")}

Run again with \`node --conditions=@baton/source packages/daemon/test/edit-calls/main.ts FOLDER\`. \`--names\` prints how each call ended.
`);

process.stdout.write(section);
writeFileSync(report, withEditSection(readFileSync(report, "utf8"), section));
if ([...replaced.baton, ...patched.baton].some((ending) => ending !== "right")) process.exitCode = 1;

function row(calls: string, agent: string, name: string | undefined, endings: readonly Ending[]): string {
  const count = (ending: Ending) => endings.filter((each) => each === ending).length;
  return `| ${calls} | ${agent} | ${versionOf(name)} | ${count("right")} | ${count("refused")} | ${count("wrong")} |`;
}

function versionOf(name: string | undefined): string {
  const file =
    name === undefined ? new URL("../../package.json", import.meta.url) : path.join(installed, "node_modules", name, "package.json");
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as { version: string }).version : "–";
}
