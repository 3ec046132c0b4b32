import { useEffect, useState, useSyncExternalStore } from "react";

/** The current time, updated every `everyMs`. */
export function useNow(everyMs: number): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}

const query = matchMedia("(max-width: 47.5em)");

/** Whether the screen is so narrow that it shows one part at a time. */
export const useNarrowScreen = (): boolean =>
  useSyncExternalStore(
    (onChange) => {
      query.addEventListener("change", onChange);
      return () => query.removeEventListener("change", onChange);
    },
    () => query.matches,
  );
