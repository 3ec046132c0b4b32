import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";
import { runScenario, type Ran } from "./run.ts";
import { serverResults, type Scenario } from "./server.ts";

/**
 * Runs the official conformance runner against Baton's client and endpoint, in all scenarios that it requires: both in the newer protocol,
 * and the endpoint also in the older one. Exits with 1 if a scenario fails or does not run.
 */
const NEWER = "2026-07-28";
const OLDER = "2025-11-25";
const TOGETHER = 3;
const TIME_MS = "60000";

const requirementsOf = (version: string) =>
  parse(
    readFileSync(new URL(`../../node_modules/@modelcontextprotocol/conformance/requirements/${version}.yaml`, import.meta.url), "utf8"),
  ) as { client: string[]; server: string[] };
const command = `${process.execPath} ${fileURLToPath(new URL("client.ts", import.meta.url))}`;

const ofClient = requirementsOf(NEWER).client;
const ofServer = [NEWER, OLDER].flatMap((version) => requirementsOf(version).server.map((scenario): Scenario => [scenario, version]));

const waiting = [...ofClient];
const results: Ran[] = [];
await Promise.all(
  Array.from({ length: TOGETHER }, async () => {
    for (let scenario = waiting.shift(); scenario !== undefined; scenario = waiting.shift())
      results.push(await runScenario("client", scenario, NEWER, ["--command", command, "--timeout", TIME_MS]));
  }),
);
results.push(...(await serverResults(ofServer)));

for (const { name, passed, failed, skipped, aside } of results) {
  const more = [...failed, ...skipped.map((id) => `(skipped: ${id})`), ...aside.map((id) => `(needs fixtures: ${id})`)];
  console.log(`${failed.length === 0 ? "✓" : "✗"} ${name}: ${passed} passed${more.length === 0 ? "" : `, not passed: ${more.join(", ")}`}`);
}
const broken = results.filter(({ failed }) => failed.length > 0);
const required = [
  ...ofClient.map((scenario) => `client ${scenario} ${NEWER}`),
  ...ofServer.map(([scenario, version]) => `server ${scenario} ${version}`),
];
const notRun = required.filter((name) => !results.some((each) => each.name === name));
for (const name of notRun) console.log(`✗ ${name}: not run`);
console.log(
  `${results.length} scenarios, ${results.reduce((sum, { passed }) => sum + passed, 0)} checks passed, ${broken.length} scenarios broken, ${notRun.length} of ${required.length} required not run`,
);
process.exitCode = broken.length + notRun.length === 0 && required.length > 0 ? 0 : 1;
