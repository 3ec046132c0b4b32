import { useEffect, useState } from "react";
import { useApp, useObservableValue } from "./app-context.ts";

/** US dollars that all sessions together spent today. Copies of a session spent nothing, so the daemon's own count is asked. */
export function useSpentToday(): number | undefined {
  const { link, lists } = useApp();
  const ever = useObservableValue(lists.sessions)?.reduce((sum, { cost }) => sum + cost, 0);
  const [spent, setSpent] = useState<number | undefined>(undefined);
  useEffect(() => {
    let here = true;
    link.api.usage.today.query().then(
      (dollars) => here && setSpent(dollars),
      () => undefined, // asked again at the next change
    );
    return () => void (here = false);
  }, [link, ever]);
  return spent;
}
