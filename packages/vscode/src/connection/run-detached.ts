import { runDetached as run } from "@baton/core/client/run-detached";

/** Starts work without waiting for it. By default, errors go to the log of the extension host. */
export function runDetached(work: Thenable<unknown>, report: (error: unknown) => void = log): void {
  run(Promise.resolve(work), report);
}

const log = (error: unknown): void => console.error("baton:", error);
