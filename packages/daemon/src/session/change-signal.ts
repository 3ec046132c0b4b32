/** A signal that can be awaited. Take `next` before reading, so that no change is missed. */
export class ChangeSignal {
  #waiting = new Set<() => void>();
  #version = 0;

  /** Grows with every change. */
  get version(): number {
    return this.#version;
  }

  /** Resolves at the next change, or when the signal aborts. A waiter that aborts leaves nothing in memory. */
  next(signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        this.#waiting.delete(wake);
        signal?.removeEventListener("abort", wake);
        resolve();
      };
      if (signal?.aborted) return resolve();
      this.#waiting.add(wake);
      signal?.addEventListener("abort", wake, { once: true });
    });
  }

  wake(): void {
    this.#version++;
    const waiting = this.#waiting;
    this.#waiting = new Set();
    for (const wake of waiting) wake();
  }
}
