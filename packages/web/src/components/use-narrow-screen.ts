import { useSyncExternalStore } from "react";

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
