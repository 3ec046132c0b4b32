import type { Clock } from "../../../src/system/clock.ts";

type Timer = { due: number; fire: () => void };

const BEGINNING = Date.UTC(2026, 0, 1);

/** A clock that the test moves. */
export class SimClock implements Clock {
  #ticks = 0;
  #wall = BEGINNING;
  #timers: Timer[] = [];

  get timers(): number {
    return this.#timers.length;
  }

  now(): number {
    return Math.floor(this.#wall);
  }

  ticks(): number {
    return this.#ticks;
  }

  wait(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((done, fail) => {
      if (signal.aborted) return fail(signal.reason as Error);
      const stop = () => {
        this.#timers = this.#timers.filter((each) => each !== timer);
        fail(signal.reason as Error);
      };
      const timer: Timer = {
        due: this.#ticks + ms,
        fire: () => {
          signal.removeEventListener("abort", stop);
          done();
        },
      };
      signal.addEventListener("abort", stop, { once: true });
      this.#timers.push(timer);
    });
  }

  /** Moves the time. Timers that are due fire in their order. */
  pass(ms: number): void {
    this.#ticks += ms;
    this.#wall += ms;
    const due = this.#timers.filter((timer) => timer.due <= this.#ticks).sort((a, b) => a.due - b.due);
    this.#timers = this.#timers.filter((timer) => timer.due > this.#ticks);
    for (const { fire } of due) fire();
  }

  /** Moves to the next timer. */
  next(): void {
    this.pass(Math.max(1, Math.min(...this.#timers.map(({ due }) => due)) - this.#ticks));
  }

  /** Sets the wall clock. */
  set(byMs: number): void {
    this.#wall += byMs;
  }

  /** Drops the timers of a dead process. */
  drop(): void {
    this.#timers = [];
  }
}
