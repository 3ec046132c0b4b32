import { existsSync } from "node:fs";
import { defineConfig } from "vitest/config";

/** Without "module": what only a bundler can read is not for Node, which these tests run in. */
export const conditions = ["@baton/source", "node", "development|production"];

/** Unit tests lie beside the sources and leave nothing behind, so their files share a process; scenarios lie in test/ and may start real ones. */
export const packageTests = defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    passWithNoTests: true,
    chaiConfig: { truncateThreshold: 1_000 }, // the summary of a run shows only the message of a failure
    expect: { poll: { timeout: 30_000 } },
    setupFiles: existsSync("test/setup.ts") ? ["test/setup.ts"] : [],
    projects: [
      { extends: true, test: { name: "unit", include: ["src/**/*.test.{ts,tsx}"], testTimeout: 60_000, isolate: false } },
      { extends: true, test: { name: "scenario", include: ["test/**/*.test.{ts,tsx}"], testTimeout: 120_000, hookTimeout: 120_000 } },
    ],
  },
});
