import { mergeConfig } from "vitest/config";
import { packageTests } from "../../tools/vitest.ts";

/** Each concurrent test has a browser of its own. */
export default mergeConfig(packageTests, { test: { maxConcurrency: 2 } });
