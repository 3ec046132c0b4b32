import { batonPaths } from "../../../src/client/index.ts";
import { StoreFault } from "../../../src/store/database/database.ts";
import type { EventLog } from "../../../src/store/event-log.ts";
import { openDaemon } from "../../../src/composition-root.ts";

/**
 * A daemon that kills itself with SIGKILL at one commit, which `BATON_TEST_CRASH` names. `before 3` or `after 3` counts the commits with
 * events. `after` is between the commit and everything that would follow from it. With `lost` it survives, but the store reports a failure
 * for every commit of streams whose name starts with the given one. `after drop` kills after the commit that deletes a session.
 */
const [when, which] = (process.env["BATON_TEST_CRASH"] ?? "never 0").split(" ");
let commits = 0;

function throughLog(log: EventLog): EventLog {
  return {
    ...log,
    async append(step) {
      const here = step.events.length > 0 && ++commits === Number(which);
      if (here && when === "before") process.kill(process.pid, "SIGKILL");
      const logged = await log.append(step);
      if (here && when === "after") process.kill(process.pid, "SIGKILL");
      if (when === "lost" && step.streamId.startsWith(`${which}:`)) throw new StoreFault(new Error("connection lost"));
      return logged;
    },
    async drop(...of) {
      await log.drop(...of);
      if (when === "after" && which === "drop") process.kill(process.pid, "SIGKILL");
    },
  };
}

const report = (problem: string, error: unknown) =>
  process.stderr.write(`${problem} ${error instanceof Error ? error.stack : String(error)}\n`);
const daemon = await openDaemon({
  paths: batonPaths(process.env),
  env: process.env,
  report,
  stop: () => process.exit(0),
  page: "/nonexistent",
  wrapLog: throughLog,
});
process.stdout.write(`${JSON.stringify({ ready: daemon !== undefined })}\n`);
