/** A thing that changes now and then, and can be waited for. Take `next` before looking, so that no change falls between. */
export class ChangeSignal {
  #waiting = new Set<() => void>();
  #version = 0;

  /** Goes up with every change. */
  get version(): number {
    return this.#version;
  }

  /** Resolves at the next change, or when the signal aborts. Nobody who has gone stays behind in memory. */
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
