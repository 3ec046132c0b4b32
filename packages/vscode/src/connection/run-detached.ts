import { runDetached as run } from "@baton/core/client/run-detached";

/** Starts work that nobody awaits. Without `report`, the extension host writes an error into its log. */
export function runDetached(work: Thenable<unknown>, report: (error: unknown) => void = log): void {
  run(Promise.resolve(work), report);
}

const log = (error: unknown): void => console.error("baton:", error);
