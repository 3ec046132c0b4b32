import { useEffect, useState, useSyncExternalStore } from "react";

/** The time, brought up to date every so many milliseconds. */
export function useNow(everyMs: number): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}

const query = matchMedia("(max-width: 47.5em)");

/** Whether there is room for one thing at a time only. */
export const useNarrowScreen = (): boolean =>
  useSyncExternalStore(
    (look) => {
      query.addEventListener("change", look);
      return () => query.removeEventListener("change", look);
    },
    () => query.matches,
  );
