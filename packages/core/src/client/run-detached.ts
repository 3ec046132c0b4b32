/** Starts work that nobody awaits. `report` receives the error if it fails. */
export function runDetached(work: Promise<unknown>, report: (error: unknown) => void): void {
  work.catch(report);
}
