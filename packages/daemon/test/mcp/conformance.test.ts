import { expect, test } from "vitest";
import { Endpoints, type Scenario } from "../conformance/server.ts";

/**
 * One scenario of each kind of those that the official runner requires of a server, with the runner's fixtures behind the endpoint. All of
 * them run with `npm run pnpm -- --filter @baton/daemon conformance`.
 */
const scenarios: readonly Scenario[] = [
  ["caching", "2026-07-28"],
  ["completion-complete", "2026-07-28"],
  ["tools-call-with-progress", "2026-07-28"],
  ["tools-call-mixed-content", "2026-07-28"],
  ["resources-read-binary", "2026-07-28"],
  ["resources-templates-read", "2026-07-28"],
  ["sep-2164-resource-not-found", "2026-07-28"],
  ["prompts-get-embedded-resource", "2026-07-28"],
  ["input-required-result-multiple-input-requests", "2026-07-28"],
  ["input-required-result-multi-round", "2026-07-28"],
  ["input-required-result-non-tool-request", "2026-07-28"],
  ["input-required-result-tampered-state", "2026-07-28"],
  ["input-required-result-capability-check", "2026-07-28"],
  ["tools-call-with-logging", "2025-11-25"],
  ["tools-call-sampling", "2025-11-25"],
  ["elicitation-sep1330-enums", "2025-11-25"],
];

test("a server behind the endpoint passes the conformance scenarios as if it stood there itself", async () => {
  await using endpoints = await Endpoints.start();
  const waiting = [...scenarios];
  const results: object[] = [];
  const run = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const { name, failed, passed } = await endpoints.proxied(...next);
      results.push({ name, failed, isRun: passed > 0 });
    }
  };
  await Promise.all([run(), run()]);
  expect(results).toHaveLength(scenarios.length);
  for (const result of results) expect(result).toMatchObject({ failed: [], isRun: true });
});
