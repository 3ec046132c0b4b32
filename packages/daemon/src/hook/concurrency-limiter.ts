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
          const giveUp = () => {
            const at = waiting.indexOf(resume);
            if (at >= 0) waiting.splice(at, 1); // a slot that becomes free is for one who still waits
            else if (taken < max) waiting.shift()?.();
            resume();
          };
          signal.addEventListener("abort", giveUp, { once: true });
        });
      if (signal.aborted) return undefined;
      taken++;
      return leave;
    },
  };
}
