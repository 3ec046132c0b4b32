/** The time, in milliseconds. What has to last so long is measured in `ticks`: the wall clock can be set anew at any moment. */
export type Clock = {
  /** Since the epoch, as the wall clock says. */
  now(): number;
  /** Since some moment; never goes back. */
  ticks(): number;
  /** Ends at once, rejecting with the signal's reason, when aborted. */
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
