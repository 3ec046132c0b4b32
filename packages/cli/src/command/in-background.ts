/** The one way to start work that nobody waits for. What goes wrong in it is told. */
export function inBackground(work: Promise<unknown>, tell: (error: unknown) => void): void {
  work.catch(tell);
}
