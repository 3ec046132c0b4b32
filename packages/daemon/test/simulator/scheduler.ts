/** Something that waits for its turn. `lost`: what becomes of it when the process dies before that. */
type Pending = { what: string; act: () => void; lost: (() => void) | undefined };

type StepOptions = { signal?: AbortSignal | undefined; lost?: () => void };

/** Whatever would take time in the real world waits here until the run lets it happen: one thing at a time, in any order. */
export class Scheduler {
  #pending: Pending[] = [];

  get size(): number {
    return this.#pending.length;
  }

  /** Resolves with what `act` gives when its turn comes; rejects at once when the signal aborts. */
  step<T>(what: string, act: () => T | Promise<T>, { signal, lost }: StepOptions = {}): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason as Error);
      const give = () => {
        this.#pending = this.#pending.filter((each) => each !== pending);
        reject(signal?.reason as Error);
      };
      const pending: Pending = {
        what,
        act: () => {
          signal?.removeEventListener("abort", give);
          try {
            resolve(act());
          } catch (error) {
            reject(error);
          }
        },
        lost,
      };
      signal?.addEventListener("abort", give, { once: true });
      this.#pending.push(pending);
    });
  }

  /** Lets one thing happen, by its place in the order in which they came. Gives what it was. */
  release(place: number): string {
    const [pending] = this.#pending.splice(place, 1);
    pending?.act();
    return pending?.what ?? "nothing";
  }

  /** The process is dead: nothing of this ever ends. */
  drop(): void {
    const pending = this.#pending;
    this.#pending = [];
    for (const { lost } of pending) lost?.();
  }
}

/** Lets everything run that can run by itself. Nothing here waits for the machine, so the end of all microtasks is the end of it. */
export const settle = (): Promise<void> => new Promise((settled) => process.nextTick(settled));
