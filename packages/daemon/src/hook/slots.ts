/** Lets at most `max` pieces of work run at once. Others wait in order. */
export function openSlots(max: number): {
  /** Waits for a slot, and returns the function that releases it. Undefined if the signal aborts first. */
  enter: (signal: AbortSignal) => Promise<(() => void) | undefined>;
} {
  let taken = 0;
  const waiting: (() => void)[] = [];
  const leave = () => {
    taken--;
    waiting.shift()?.();
  };
  return {
    enter: async (signal) => {
      while (taken >= max && !signal.aborted)
        await new Promise<void>((resume) => {
          waiting.push(resume);
          signal.addEventListener("abort", () => resume(), { once: true });
        });
      if (signal.aborted) return undefined;
      taken++;
      return leave;
    },
  };
}
