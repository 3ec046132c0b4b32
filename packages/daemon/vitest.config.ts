import { mergeConfig } from "vitest/config";
import { packageTests } from "../../tools/vitest.ts";

/** These wait for daemons and sockets more than they compute, so three files run at a time, on two cores too. */
export default mergeConfig(packageTests, { test: { maxWorkers: 3 } });
