import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";
import { runScenario, type Ran } from "./run.ts";
import { serverResults } from "./server.ts";

/** Runs the official conformance runner against our client, in all scenarios that count, and against our endpoint. */
const VERSION = "2026-07-28";
const TOGETHER = 3;
const TIME_MS = "60000";

const requirements = parse(
  readFileSync(new URL(`../../node_modules/@modelcontextprotocol/conformance/requirements/${VERSION}.yaml`, import.meta.url), "utf8"),
) as { client: string[] };
const command = `${process.execPath} ${fileURLToPath(new URL("client.ts", import.meta.url))}`;

const waiting = [...requirements.client];
const results: Ran[] = [];
await Promise.all(
  Array.from({ length: TOGETHER }, async () => {
    for (let scenario = waiting.shift(); scenario !== undefined; scenario = waiting.shift())
      results.push(await runScenario("client", scenario, VERSION, ["--command", command, "--timeout", TIME_MS]));
  }),
);
results.push(...(await serverResults()));

for (const { name, passed, failed, needFixtures } of results) {
  const told = [...failed, ...needFixtures.map((id) => `(needs fixtures: ${id})`)];
  console.log(`${failed.length === 0 ? "✓" : "✗"} ${name}: ${passed} passed${told.length === 0 ? "" : `, not passed: ${told.join(", ")}`}`);
}
const broken = results.filter(({ failed }) => failed.length > 0);
console.log(
  `${results.length} scenarios, ${results.reduce((sum, { passed }) => sum + passed, 0)} checks passed, ${broken.length} scenarios broken`,
);
process.exitCode = broken.length === 0 ? 0 : 1;
