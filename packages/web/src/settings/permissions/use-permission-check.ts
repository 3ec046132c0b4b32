import { useApp, useConnected } from "../../store/app-context.ts";
import { useQuery } from "../../store/data/use-query.ts";
import type { Api } from "../../connection/connection-types.ts";
import type { CheckQuery } from "./check-query.ts";

export type PermissionCheckResult = Awaited<ReturnType<Api["permission"]["check"]["query"]>>[number];
/** `of` is the query that `checked` answers, as JSON. */
type AnsweredCheck = { of: string; checked: PermissionCheckResult };

const DEBOUNCE_MS = 150;

/** Asks what would happen, and again when `stamp` changes. The last answer stays until the next one, so that nothing flickers. */
export function usePermissionCheck(query: CheckQuery | undefined, stamp: unknown): AnsweredCheck | undefined {
  const { link, tell } = useApp();
  const connected = useConnected();
  const key = query && JSON.stringify(query);
  const check = async (signal: AbortSignal): Promise<AnsweredCheck | undefined> => {
    if (!query || key === undefined) return undefined;
    const [checked] = await link.api.permission.check.query([query], { signal });
    return checked && { of: key, checked };
  };
  const { data } = useQuery(connected && query ? check : undefined, [link, key, stamp], { delayMs: DEBOUNCE_MS, onError: tell });
  return query && data;
}
