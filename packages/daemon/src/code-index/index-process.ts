import { fork, type ChildProcess } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { IndexReply, IndexRequest, IndexResults } from "./index-process-messages.ts";

/** The process that owns the indexes. It runs while it is used, so that its memory is free otherwise. */
export type IndexProcess = {
  ask: <T extends IndexRequest["type"]>(
    request: Extract<IndexRequest, { type: T }>,
    progress?: (progress: { done: number; total: number }) => void,
  ) => Promise<IndexResults[T]>;
  /** The process that runs now, for tests. */
  pid: () => number | undefined;
  close: () => void;
};

/** The process ended or did not answer. */
export class IndexProcessEnded extends Error {}

const IDLE_MS = 60_000;
/** A process that says nothing for so long while it has work hangs. */
const SILENT_MS = 120_000;

type Pending = {
  resolve: (result: never) => void;
  reject: (error: Error) => void;
  progress: (progress: { done: number; total: number }) => void;
};

export function openIndexProcess(): IndexProcess {
  const pending = new Map<number, Pending>();
  let child: ChildProcess | undefined;
  let timer: NodeJS.Timeout | undefined;
  let count = 0;

  const watch = () => {
    clearTimeout(timer);
    timer = setTimeout(close, pending.size === 0 ? IDLE_MS : SILENT_MS).unref();
    // Only work keeps this process from ending.
    if (pending.size === 0) child?.channel?.unref();
    else child?.channel?.ref();
  };
  const ended = (which: ChildProcess) => {
    if (child !== which) return;
    child = undefined;
    clearTimeout(timer);
    const waiting = [...pending.values()];
    pending.clear();
    for (const { reject } of waiting) reject(new IndexProcessEnded("The process that indexes the code has ended."));
  };
  const start = (): ChildProcess => {
    const program = indexProgram();
    const execArgv = ["--max-old-space-size=2048", ...(program.endsWith(".ts") ? ["--conditions=@baton/source"] : [])];
    const { PATH, HOME } = process.env;
    const started = fork(program, [], {
      execArgv,
      env: { PATH, HOME, MALLOC_ARENA_MAX: "1" },
      stdio: ["ignore", "ignore", "ignore", "ipc"],
    });
    started.on("message", (reply: IndexReply) => {
      const waiting = pending.get(reply.id);
      if (!waiting) return;
      if ("progress" in reply) waiting.progress(reply.progress);
      else {
        pending.delete(reply.id);
        if ("problem" in reply) waiting.reject(new Error(reply.problem));
        else waiting.resolve(reply.result as never); // the process answers with the type of the request
      }
      watch();
    });
    started.once("exit", () => ended(started));
    started.once("error", () => ended(started));
    started.unref();
    return started;
  };
  function close(): void {
    const running = child;
    if (!running) return;
    running.kill("SIGKILL"); // its file is consistent at any moment
    ended(running);
  }

  return {
    ask(request, progress = () => undefined) {
      const id = ++count;
      const { promise, resolve, reject } = Promise.withResolvers<never>();
      const send = (isAgain: boolean): void => {
        const to = (child ??= start());
        pending.set(id, { resolve, reject, progress });
        watch();
        to.send({ id, ...request }, (error) => {
          if (!error || !pending.delete(id)) return;
          ended(to); // it no longer listens, although its exit is not known yet
          if (isAgain) reject(new IndexProcessEnded(`The process that indexes the code does not listen: ${error.message}`));
          else send(true); // it has not seen the request
        });
      };
      send(false);
      return promise;
    },
    pid: () => child?.pid,
    close,
  };
}

/** Beside the bundle, or beside the folder of this source. */
function indexProgram(): string {
  const [built = "", source = ""] = ["code-index.js", "../code-index-process.ts"].map((name) =>
    fileURLToPath(new URL(name, import.meta.url)),
  );
  return existsSync(built) ? built : source;
}
