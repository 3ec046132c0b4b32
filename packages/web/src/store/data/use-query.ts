import { runDetached } from "@baton/core/client/run-detached";
import { useCallback, useEffect, useRef, useState } from "react";

type QueryOptions = {
  /** Waits this long before it asks, so that a value that the user still types asks only once. */
  delayMs?: number;
  /** Asks again this long after each answer or error. */
  pollMs?: number;
  /** Asks again when the user comes back to the page. */
  refetchOnFocus?: boolean;
  /** A poll that fails again and again reports only its first error. */
  onError?: (error: unknown) => void;
};

/** `data` is the last answer; it stays until the next one arrives. */
type Query<T> = { data: T | undefined; refetch: () => Promise<void> };

/**
 * Asks the daemon when `deps` change, and again with `refetch`. A newer question aborts an older one. Without `fetch` it asks
 * nothing.
 */
export function useQuery<T>(
  fetch: ((signal: AbortSignal) => Promise<T>) | undefined,
  deps: readonly unknown[],
  options: QueryOptions = {},
): Query<T> {
  const { delayMs = 0, refetchOnFocus = false } = options;
  const [data, setData] = useState<T>();
  const latest = useRef({ fetch, options });
  latest.current = { fetch, options };
  const abort = useRef<AbortController>(undefined);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const failsToPoll = useRef(false);
  const refetch = useCallback(async (): Promise<void> => {
    const { fetch: ask, options: now } = latest.current;
    const pollLater = (failed: boolean) => {
      failsToPoll.current = failed && now.pollMs !== undefined;
      if (now.pollMs !== undefined) timer.current = setTimeout(() => run(refetch), now.pollMs);
    };
    stop(abort, timer);
    if (!ask) return;
    const { signal } = (abort.current = new AbortController());
    try {
      const found = await ask(signal);
      if (signal.aborted) return;
      setData(() => found);
      pollLater(false);
    } catch (error) {
      if (signal.aborted) return;
      if (!failsToPoll.current) now.onError?.(error);
      pollLater(true);
    }
  }, []);
  useEffect(() => {
    if (delayMs > 0) timer.current = setTimeout(() => run(refetch), delayMs);
    else run(refetch);
    return () => stop(abort, timer);
  }, [refetch, fetch === undefined, ...deps]);
  useEffect(() => {
    if (!refetchOnFocus) return undefined;
    const ask = () => run(refetch);
    addEventListener("focus", ask);
    return () => removeEventListener("focus", ask);
  }, [refetch, refetchOnFocus]);
  return { data, refetch };
}

function stop(abort: { current: AbortController | undefined }, timer: { current: ReturnType<typeof setTimeout> | undefined }): void {
  clearTimeout(timer.current);
  abort.current?.abort();
}

const run = (refetch: () => Promise<void>): void => runDetached(refetch(), () => undefined); // `refetch` reports its errors itself
