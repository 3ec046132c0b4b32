import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { stripVTControlCharacters } from "node:util";

/** What became of a scenario: names of checks that failed, and of those that need fixtures of the runner's own. */
export type Ran = { name: string; passed: number; failed: string[]; needFixtures: string[] };

const runner = fileURLToPath(new URL("../../node_modules/.bin/conformance", import.meta.url));

/** Checks that look for tools, prompts and resources which only the runner's own server has. */
const OF_FIXTURES = new Set([
  "sep-2575-server-rejects-undeclared-capability",
  "sep-2575-missing-capability-http-400",
  "sep-2549-prompts-list-caching-hints",
  "sep-2549-resources-list-caching-hints",
  "sep-2549-resources-templates-list-caching-hints",
  "sep-2549-resources-read-caching-hints",
]);

const LINE = /\[([a-zA-Z0-9._-]+)\s*\]\s*(SUCCESS|FAILURE)/;

/** Runs one scenario against a client or a server, at one version of the protocol. */
export function runScenario(side: "client" | "server", scenario: string, version: string, args: readonly string[]): Promise<Ran> {
  return new Promise((ended) => {
    const child = spawn(runner, [side, ...args, "--scenario", scenario, "--spec-version", version]);
    let out = "";
    child.stdout.on("data", (chunk: Buffer) => (out += chunk.toString()));
    child.stderr.on("data", (chunk: Buffer) => (out += chunk.toString()));
    child.on("close", (code) => {
      const checks = out.split("\n").flatMap((line) => {
        const [, id, status] = LINE.exec(stripVTControlCharacters(line)) ?? [];
        return id === undefined ? [] : [{ id, failed: status === "FAILURE" }];
      });
      const failures = checks.filter(({ failed }) => failed).map(({ id }) => id);
      const passed = checks.length - failures.length;
      const failed = failures.filter((id) => !OF_FIXTURES.has(id));
      if (code !== 0 && failures.length === 0) failed.push(`exit code ${code}: ${out.slice(-300)}`);
      ended({ name: `${side} ${scenario} ${version}`, passed, failed, needFixtures: failures.filter((id) => OF_FIXTURES.has(id)) });
    });
  });
}
