import { setImmediate } from "node:timers/promises";
import { parentPort, Worker } from "node:worker_threads";
import { analyzeFile, type AnalyzeFiles, type FileAnalysis } from "./analyze-file.ts";
import { openParser, type ParseSymbols } from "./parse-symbols.ts";

type Task = { root: string; files: readonly string[] };

const PER_TASK = 50;
/** For fewer files, a thread costs more than it saves. */
const MIN_FILES = 400;
/** Other work continues after each so many milliseconds. */
const MAX_BLOCKED_MS = 20;

/** Analyzes few files in this thread, and many in threads that end afterwards. `program`: a module that calls `serveAnalysis`. */
export function analyzeInThreads(program: string, threads: number, parse: ParseSymbols): AnalyzeFiles {
  const alone = analyzeAlone(parse);
  return async (root, files, take) => {
    if (files.length < MIN_FILES) return alone(root, files, take);
    let next = 0;
    const workers = Array.from({ length: threads }, () => new Worker(program));
    const serve = (worker: Worker): Promise<void> =>
      new Promise((done, failed) => {
        const give = () => {
          const some = files.slice(next, next + PER_TASK);
          next += PER_TASK;
          if (some.length === 0) done();
          else worker.postMessage({ root, files: some } satisfies Task);
        };
        worker.on("message", (found: readonly FileAnalysis[]) => {
          try {
            take(found);
            give();
          } catch (error) {
            failed(error instanceof Error ? error : new Error(String(error)));
          }
        });
        worker.once("error", failed);
        worker.once("exit", () => failed(new Error("a thread that analyzes files has ended")));
        give();
      });
    try {
      await Promise.all(workers.map(serve));
    } finally {
      await Promise.all(workers.map((worker) => worker.terminate()));
    }
  };
}

/** Analyzes files in this thread. Other work of the process continues from time to time. */
export function analyzeAlone(parse: ParseSymbols): AnalyzeFiles {
  return async (root, files, take) => {
    let since = performance.now();
    for (const file of files) {
      const found = await analyzeFile(root, file, parse);
      if (found) take([found]);
      if (performance.now() - since < MAX_BLOCKED_MS) continue;
      await setImmediate();
      since = performance.now();
    }
  };
}

/** Analyzes the files of tasks in a thread, until the thread is terminated. */
export async function serveAnalysis(): Promise<void> {
  const port = parentPort;
  if (!port) throw new Error("serveAnalysis runs in threads only");
  const tasks: Task[] = [];
  let wake: () => void = () => undefined;
  port.on("message", (task: Task) => {
    tasks.push(task);
    wake();
  });
  const parse = await openParser();
  for (;;) {
    const task = tasks.shift();
    if (!task) {
      await new Promise<void>((resolve) => (wake = resolve));
      continue;
    }
    const found: FileAnalysis[] = [];
    for (const file of task.files) {
      const one = await analyzeFile(task.root, file, parse);
      if (one) found.push(one);
    }
    port.postMessage(found);
  }
}
