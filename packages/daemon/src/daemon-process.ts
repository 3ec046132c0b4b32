import { appendFileSync, existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { buildId } from "./client/build-id.ts";
import { batonPaths } from "./client/paths.ts";
import { openDaemon, VERSION, type RunningDaemon } from "./composition-root.ts";
import { saveCompileCache, limitHeap } from "./composition/upkeep/v8-tuning.ts";

/** The time from a stop request to the end of the process. */
const STOP_MS = 5_000;
const ANOTHER_RUNS = 5;

const paths = batonPaths(process.env);
let daemon: RunningDaemon | undefined;
let stopping = false;

/** A JSON line of the log: a `note`, or a `problem` with its `error`. Never a token, a key or a prompt. */
function write(said: { note: string } | { problem: string; error: string | undefined }): void {
  appendFileSync(paths.logFile, `${JSON.stringify({ at: new Date().toISOString(), pid: process.pid, ...said })}\n`, { mode: 0o600 });
}

function report(problem: string, error?: unknown): void {
  write({ problem, error: error instanceof Error ? (error.stack ?? error.message) : error === undefined ? undefined : String(error) });
}

function stop(): void {
  if (stopping) return;
  stopping = true;
  setTimeout(() => {
    report("not everything ended in time, so the daemon ends now; the next start finds what is left");
    process.exit(0);
  }, STOP_MS);
  const closing = daemon?.close(STOP_MS) ?? Promise.resolve();
  closing.then(
    () => {
      saveCompileCache();
      process.exit(0);
    },
    (error: unknown) => failed("could not stop cleanly", error),
  );
}

/** The built page: beside the bundle in a package, and in its own package in a checkout. */
function pageFolder(): string {
  const [shipped, built] = [new URL("page/", import.meta.url), new URL("../../web/dist", import.meta.url)].map((url) => fileURLToPath(url));
  return shipped !== undefined && existsSync(shipped) ? shipped : (built ?? "");
}

/** The sample project of the demo, which ships with the terminal client. */
function sampleFolder(): string | undefined {
  const folder = fileURLToPath(new URL("../../cli/sample", import.meta.url));
  return existsSync(folder) ? folder : undefined;
}

/** Reports why the daemon ends: to the process that started it as a line of JSON, or as text on a terminal, and to the log. */
function failed(problem: string, error: unknown): never {
  const why = error instanceof Error ? error.message : String(error);
  if (process.stderr.isTTY) process.stderr.write(`baton: ${problem}: ${why}\n`);
  else process.stdout.write(`${JSON.stringify({ ready: false, problem, why })}\n`);
  try {
    report(problem, error);
  } finally {
    process.exit(1); // without a folder for the log, the message above has to do
  }
}

process.on("uncaughtException", (error) => report("uncaught", error));
process.on("unhandledRejection", (error) => report("unhandled", error));
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, stop);

try {
  daemon = await openDaemon({
    paths,
    env: process.env,
    report,
    stop,
    page: pageFolder(),
    sample: sampleFolder(),
    build: buildId(fileURLToPath(new URL("main.js", import.meta.url))),
  });
} catch (error) {
  failed(`the daemon could not start with its home at ${paths.state}`, error);
}
if (!daemon) {
  process.stderr.write("baton: another daemon of this home is already running.\n");
  process.exit(ANOTHER_RUNS);
}
write({ note: `started, version ${VERSION}` });
limitHeap();
process.stdout.write(`${JSON.stringify({ ready: true, pid: process.pid, port: daemon.discovery.port })}\n`);
