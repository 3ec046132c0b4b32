import { mergeConfig } from "vitest/config";
import { packageTests } from "../../tools/vitest.ts";

/** An editor takes the machine for itself: one file after the other. */
export default mergeConfig(packageTests, { test: { fileParallelism: false } });
