import { mergeConfig } from "vitest/config";
import { packageTests } from "../../tools/vitest.ts";

/** The tests mostly wait for terminals and daemons, so two files run at a time. */
export default mergeConfig(packageTests, { test: { maxWorkers: 2 } });
