/** The time in milliseconds. Measure durations with `ticks`, because the wall clock can be changed at any moment. */
export type Clock = {
  /** Since the epoch, by the wall clock. */
  now(): number;
  /** Since an arbitrary moment. Never decreases. */
  ticks(): number;
  /** Rejects with the signal's reason when the signal aborts. */
  wait(ms: number, signal: AbortSignal): Promise<void>;
};

export const systemClock: Clock = {
  now: () => Date.now(),
  ticks: () => performance.now(),
  wait: (ms, signal) =>
    new Promise((done, fail) => {
      signal.throwIfAborted();
      const stop = () => {
        clearTimeout(timer);
        fail(signal.reason);
      };
      const timer = setTimeout(() => {
        signal.removeEventListener("abort", stop);
        done();
      }, ms);
      signal.addEventListener("abort", stop, { once: true });
    }),
};
