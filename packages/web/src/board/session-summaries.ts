import type { Api } from "../connection/connection-types.ts";
import { runDetached } from "@baton/core/client/run-detached";

type Summary = Awaited<ReturnType<Api["session"]["summaries"]["query"]>>[number];

/** Summaries of sessions, loaded for those that are on the screen. */
export type LoadedSummaries = {
  of: (id: string) => Summary | undefined;
  watch: (onChange: () => void) => () => void;
  /** Loads the summary of a session, together with others, unless the known one includes the event `seq`. */
  want: (id: string, seq: number) => void;
  close: () => void;
};

/** Waits this long for further sessions, so that working sessions do not ask at every event. */
const DELAY_MS = 250;
const MAX_AT_ONCE = 100;

export function openSummaries(api: Api, onError: (error: unknown) => void): LoadedSummaries {
  const known = new Map<string, Summary>();
  const wanted = new Set<string>();
  const watchers = new Set<() => void>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let closed = false;
  const load = async () => {
    const sessionIds = [...wanted].slice(0, MAX_AT_ONCE);
    for (const id of sessionIds) wanted.delete(id);
    const found = await api.session.summaries.query({ sessionIds });
    if (closed) return;
    for (const each of found) known.set(each.id, each);
    for (const notify of watchers) notify();
  };
  const schedule = (delay: number) => {
    timer ??= setTimeout(() => {
      runDetached(
        load().finally(() => {
          timer = undefined;
          if (wanted.size > 0 && !closed) schedule(0);
        }),
        onError,
      );
    }, delay);
  };
  return {
    of: (id) => known.get(id),
    watch: (onChange) => {
      watchers.add(onChange);
      return () => void watchers.delete(onChange);
    },
    want: (id, seq) => {
      if ((known.get(id)?.seq ?? -1) >= seq) return;
      wanted.add(id);
      schedule(DELAY_MS);
    },
    close: () => {
      closed = true;
      clearTimeout(timer);
      watchers.clear();
    },
  };
}
