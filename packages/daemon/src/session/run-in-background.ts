/** The one way to let a promise go: what goes wrong in it is reported, never lost. */
export function runInBackground(work: Promise<unknown>, report: (problem: string, error: unknown) => void): void {
  work.catch((error: unknown) => report("work in the background failed", error));
}
