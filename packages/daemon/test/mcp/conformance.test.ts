import { expect, test } from "vitest";
import { Endpoints, type Scenario } from "../conformance/server.ts";

const MODERN = "2026-07-28";

/**
 * Some scenarios that the official runner requires of a server, with the runner's fixtures behind the endpoint. `npm run nightly` runs all of
 * them.
 */
const scenarios: readonly Scenario[] = [
  ["caching", MODERN],
  ["tools-call-mixed-content", MODERN],
  ["resources-templates-read", MODERN],
  ["input-required-result-multi-round", MODERN],
  ["input-required-result-tampered-state", MODERN],
  ["input-required-result-capability-check", MODERN],
  ["tools-call-with-logging", "2025-11-25"],
  ["tools-call-sampling", "2025-11-25"],
  ["elicitation-sep1330-enums", "2025-11-25"],
];

test("a server behind the endpoint passes the conformance scenarios like a direct server", async () => {
  await using endpoints = await Endpoints.start();
  const results: object[] = [];
  const runAll = async (queue: Scenario[]): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const { name, failed, passed } = await endpoints.proxied(...next);
      results.push({ name, failed, isRun: passed > 0 });
    }
  };
  const modern = scenarios.filter(([, version]) => version === MODERN);
  await Promise.all([runAll(modern), runAll(modern)]);
  // In the older protocol, a server does not name the call that a message belongs to, so its scenarios do not run in parallel.
  await runAll(scenarios.filter(([, version]) => version !== MODERN));
  expect(results).toHaveLength(scenarios.length);
  for (const result of results) expect(result).toMatchObject({ failed: [], isRun: true });
});
