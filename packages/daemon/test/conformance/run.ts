import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { stripVTControlCharacters } from "node:util";

/** The result of a scenario: the names of failed, skipped and ignored checks. */
export type Ran = { name: string; passed: number; failed: string[]; skipped: string[]; aside: string[] };

const runner = fileURLToPath(new URL("../../node_modules/.bin/conformance", import.meta.url));

const LINE = /\[([a-zA-Z0-9._-]+)\s*\]\s*(SUCCESS|FAILURE|WARNING|SKIPPED)/;

/**
 * Runs one scenario against a client or a server, in one version of the protocol. A warning counts as a failure. Checks in `aside` need
 * features that the peer lacks. A scenario in which no check passed did not run, so it failed.
 */
export function runScenario(
  side: "client" | "server",
  scenario: string,
  version: string,
  args: readonly string[],
  aside: readonly string[] = [],
): Promise<Ran> {
  return new Promise((ended) => {
    const child = spawn(runner, [side, ...args, "--scenario", scenario, "--spec-version", version]);
    let out = "";
    child.stdout.on("data", (chunk: Buffer) => (out += chunk.toString()));
    child.stderr.on("data", (chunk: Buffer) => (out += chunk.toString()));
    child.on("close", (code) => {
      const checks = out.split("\n").flatMap((line) => {
        const [, id, status] = LINE.exec(stripVTControlCharacters(line)) ?? [];
        return id === undefined ? [] : [{ id, status }];
      });
      const of = (...statuses: string[]) => checks.filter(({ status = "" }) => statuses.includes(status)).map(({ id }) => id);
      const bad = of("FAILURE", "WARNING");
      const passed = of("SUCCESS").length;
      const failed = bad.filter((id) => !aside.includes(id));
      const isExplained = code === 0 || bad.length > 0;
      if (!isExplained || passed === 0) failed.push(`exit code ${code}, ${passed} checks passed: ${out.slice(-600)}`);
      ended({
        name: `${side} ${scenario} ${version}`,
        passed,
        failed,
        skipped: of("SKIPPED"),
        aside: bad.filter((id) => aside.includes(id)),
      });
    });
  });
}
