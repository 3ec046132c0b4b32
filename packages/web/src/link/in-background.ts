/** The one place where nobody waits for a promise; what goes wrong is handed on. */
export function inBackground(work: Promise<unknown>, report: (error: unknown) => void): void {
  work.catch(report);
}
