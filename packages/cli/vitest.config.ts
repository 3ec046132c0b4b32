import { mergeConfig } from "vitest/config";
import { packageTests } from "../../tools/vitest.ts";

/** These wait for terminals and daemons more than they work, so two files run at a time, on two cores too. */
export default mergeConfig(packageTests, { test: { maxWorkers: 2 } });
