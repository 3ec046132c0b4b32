/** Starts work that nothing awaits. `report` receives its error. */
export function runDetached(work: Promise<unknown>, report: (error: unknown) => void): void {
  work.catch(report);
}
