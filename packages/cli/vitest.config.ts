import { mergeConfig } from "vitest/config";
import { packageTests } from "../../tools/vitest.ts";

/** The tests mostly wait for terminals and daemons, and they run last, so three files run at a time. */
export default mergeConfig(packageTests, { test: { maxWorkers: 3 } });
