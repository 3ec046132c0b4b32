import { useApp, useObservableValue } from "../../store/app-context.ts";
import { useQuery } from "../../store/data/use-query.ts";

/** US dollars that all sessions spent today. The daemon counts them, because a fork repeats the costs of its session. */
export function useSpentToday(): number | undefined {
  const { link, lists } = useApp();
  const total = useObservableValue(lists.sessions)?.reduce((sum, { cost }) => sum + cost, 0);
  return useQuery((signal) => link.api.usage.today.query(undefined, { signal }), [link, total]).data;
}
