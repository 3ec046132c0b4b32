import { randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import { Session } from "node:inspector";
import path from "node:path";

/**
 * Loaded before a daemon. Records which parts of its bundle ran, when the daemon ends by itself, or at once on SIGUSR2. Everything here is
 * synchronous.
 */
const folder = process.env["BATON_RECORDS"] ?? "";
const own = path.dirname(process.env["BATON_MEASURED"] ?? "");
const session = new Session();
session.connect();
session.post("Profiler.enable");
session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });

process.on("SIGUSR2", () => process.exit());
process.on("exit", () => {
  session.post("Profiler.takePreciseCoverage", (_, { result }) => {
    const scripts = result.filter(({ url }) => url.includes(own));
    writeFileSync(path.join(folder, `${randomUUID()}.json`), JSON.stringify({ result: scripts }));
  });
});
