import type { LoggedEvent } from "../protocol/event.ts";
import type { StreamFrame } from "../protocol/connection/stream-frame.ts";
import type { FollowApi, Subscription, SessionApi, SessionEventPage } from "./daemon-api.ts";
import { refusalOf } from "./rpc-errors.ts";
import { newFrameFilter } from "./streaming-state.ts";

/** Receives the updates of a session. */
export type EventFollower = {
  /** New events in order, each exactly once, then what is streaming: each piece of text once. */
  onBatch: (events: readonly LoggedEvent[], frames: readonly StreamFrame[]) => void;
  /**
   * The store was restored to an earlier time, so earlier events no longer apply. The promise returns the seq to continue from. Without
   * this function, the error goes to `onError`.
   */
  onRestored?: (() => Promise<number>) | undefined;
  /** The daemon refuses to follow the session any further, for example because it was deleted. */
  onError: (error: unknown) => void;
};

/** How long to wait before a lost call is repeated: the first time, and at most. */
export const RETRY_DELAY_MS = { min: 100, max: 10_000 };

/**
 * Follows the events of a session after `after`, a seq, until it is closed. It survives lost connections and restarts of
 * the daemon, and subscribes again after an internal error of the daemon.
 */
export function followEvents(api: FollowApi, sessionId: string, after: number, follower: EventFollower): Subscription {
  let seq = after;
  let delay = RETRY_DELAY_MS.min;
  let subscription: Subscription | undefined;
  let timer: Timer | undefined;
  let isClosed = false;

  const subscribe = () => {
    if (isClosed) return;
    const newFrame = newFrameFilter();
    subscription = api.session.follow.subscribe(
      { sessionId, after: seq },
      {
        onData: ({ data }) => {
          if (isClosed) return;
          delay = RETRY_DELAY_MS.min;
          const events = data.events.filter((event) => event.seq > seq);
          seq = events.at(-1)?.seq ?? seq;
          const frames = data.frames.flatMap((frame) => newFrame(frame) ?? []);
          if (events.length > 0 || frames.length > 0) follower.onBatch(events, frames);
        },
        onError: (error) => {
          if (!isClosed) recover(error);
        },
      },
    );
  };

  const recover = (error: unknown) => {
    const refusal = refusalOf(error);
    if (refusal?.code === "resync" && follower.onRestored) {
      follower.onRestored().then((restored) => {
        seq = restored;
        subscribe();
      }, follower.onError);
    } else if (refusal) {
      follower.onError(error);
    } else {
      timer = setTimeout(subscribe, delay);
      delay = Math.min(delay * 2, RETRY_DELAY_MS.max);
    }
  };

  subscribe();
  return {
    unsubscribe: () => {
      isClosed = true;
      clearTimeout(timer);
      subscription?.unsubscribe();
    },
  };
}

const PAGE_SIZE = 5_000;

/** Reads every event of a session that still applies, oldest first. */
export async function readAllEvents(
  { session }: { session: Pick<SessionApi["session"], "open" | "page"> },
  sessionId: string,
): Promise<LoggedEvent[]> {
  const newest = await session.open.query({ sessionId, tail: PAGE_SIZE });
  const pages = [ownEvents(newest)];
  for (let before = newest.from; before > 1;) {
    const page = await session.page.query({ sessionId, before, atLeast: PAGE_SIZE });
    pages.unshift(ownEvents(page));
    before = page.from;
  }
  return pages.flat();
}

/** The events of a page without the earlier prompts that it repeats. Their own page contains these. */
const ownEvents = ({ from, events }: SessionEventPage): LoggedEvent[] => events.filter(({ seq }) => seq >= from);
