/** A thing that changes now and then, and can be waited for. Take `next` before looking, so that no change falls between. */
export class Change {
  #next = Promise.withResolvers<void>();
  #version = 0;

  /** Goes up with every change. */
  get version(): number {
    return this.#version;
  }

  /** Resolves at the next change. All who wait share one promise. */
  next(): Promise<void> {
    return this.#next.promise;
  }

  wake(): void {
    const { resolve } = this.#next;
    this.#next = Promise.withResolvers<void>();
    this.#version++;
    resolve();
  }
}
