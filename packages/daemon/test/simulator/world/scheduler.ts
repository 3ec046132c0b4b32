/** A task that waits for its turn. `lost`: its outcome if the process dies before that. */
type Pending = { what: string; act: () => void; lost: (() => void) | undefined };

type StepOptions = { signal?: AbortSignal | undefined; lost?: () => void };

/** Everything that takes time in the real world waits here until the run releases it: one task at a time, in any order. */
export class Scheduler {
  #pending: Pending[] = [];

  get size(): number {
    return this.#pending.length;
  }

  /** Resolves with the result of `act` when its turn comes. Rejects at once if the signal aborts. */
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

  /** Releases one task, by its position in the order of arrival. Returns it. */
  release(place: number): string {
    const [pending] = this.#pending.splice(place, 1);
    pending?.act();
    return pending?.what ?? "nothing";
  }

  /** The process is dead, so none of these tasks ever ends. */
  drop(): void {
    const pending = this.#pending;
    this.#pending = [];
    for (const { lost } of pending) lost?.();
  }
}

/** Lets everything run that can run by itself. Nothing here waits for the machine, so it is done after all microtasks. */
export const settle = (): Promise<void> => new Promise((settled) => process.nextTick(settled));
