import type { UsageDimension } from "@baton/core/session/usage-totals";
import { useEffect, useState } from "react";
import { useApp, useConnected, useObservableValue } from "../../store/app-context.ts";
import { lastDays } from "./days.ts";

/** What was used on these days, oldest first. */
export type UsagePerDay = { days: readonly string[]; used: readonly UsageDimension[] };

/** Asked of the daemon, and again when a session has cost more, begins or ends a turn; what is known stays while it cannot be reached. */
export function useUsage(span: number): UsagePerDay | undefined {
  const { link, lists, tell } = useApp();
  const connected = useConnected();
  const rows = useObservableValue(lists.sessions);
  const ever = rows?.reduce((sum, { cost }) => sum + cost, 0);
  const working = rows?.filter(({ status }) => status === "working").length; // where nothing has a price, a turn that ends is what shows
  const [known, setKnown] = useState<UsagePerDay>();
  useEffect(() => {
    if (!connected) return;
    const abort = new AbortController();
    const { signal } = abort;
    const days = lastDays(span, Date.now());
    link.api.usage.since
      .query({ day: days[0] ?? "" }, { signal })
      .then((used) => setKnown({ days, used }))
      .catch((error: unknown) => (signal.aborted ? undefined : tell(error)));
    return () => abort.abort();
  }, [link, connected, span, ever, working]);
  return known;
}
