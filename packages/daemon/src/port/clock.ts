/** Epoch milliseconds, and waiting that ends at once (rejecting with the signal's reason) when aborted. */
export type Clock = { now(): number; wait(ms: number, signal: AbortSignal): Promise<void> };

export const systemClock: Clock = {
  now: () => Date.now(),
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
