/** The one place where nobody waits for a promise; what goes wrong is handed on. */
export function inBackground(work: Thenable<unknown>, report: (error: unknown) => void = complain): void {
  Promise.resolve(work).catch(report);
}

/** The extension host writes this into its log. */
const complain = (error: unknown): void => console.error("baton:", error);
