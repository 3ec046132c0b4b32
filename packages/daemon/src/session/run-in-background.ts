/** Runs a promise in the background and reports its error. */
export function runInBackground(work: Promise<unknown>, report: (problem: string, error: unknown) => void): void {
  work.catch((error: unknown) => report("work in the background failed", error));
}
