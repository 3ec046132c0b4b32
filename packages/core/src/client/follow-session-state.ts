import type { LoggedEvent } from "../protocol/event.ts";
import type { StreamFrame } from "../protocol/connection/stream-frame.ts";
import { reduceSession } from "../session/reduce.ts";
import type { SessionState } from "../session/state.ts";
import type { OpenedSession, SessionApi, Subscription } from "./daemon-api.ts";
import { followEvents } from "./follow-events.ts";

/** A session and its current state, kept up to date until it is closed. */
export type FollowedState = { readonly state: SessionState; readonly seq: number; close: () => void };

export type StateFollower = {
  /** Called for each event, with the state before and after it. */
  onEvent?: (event: LoggedEvent, before: SessionState, after: SessionState) => void;
  /** Called after each batch, when the state includes its events. */
  onBatch?: (events: readonly LoggedEvent[], frames: readonly StreamFrame[]) => void;
  /** The state does not follow from the events, because the session was rewound. */
  onRewound?: (opened: OpenedSession) => void;
  /** The store was restored to an earlier time, so no earlier event of the session applies. */
  onRestored?: (opened: OpenedSession) => void;
  /** The session cannot be followed any more. */
  onError: (error: unknown) => void;
};

export type FollowStateOptions = StateFollower & {
  /** The number of newest events that `onRewound` and `onRestored` receive. */
  tail?: number;
};

/** Follows a session from a state that the daemon returned, after the event `seq`. */
export function followState(
  api: SessionApi,
  sessionId: string,
  opened: Pick<OpenedSession, "state" | "seq">,
  { tail = 1, onEvent, onBatch, onRewound, onRestored, onError }: FollowStateOptions,
): FollowedState {
  let { state, seq } = opened;
  let isClosed = false;
  const fail = (error: unknown) => {
    if (!isClosed) onError(error);
  };

  const open = async () => {
    const now = await api.session.open.query({ sessionId, tail });
    if (!isClosed && now.seq >= seq) ({ state, seq } = now);
    return now;
  };
  /** Only the daemon has the whole log, so only it knows the state of a rewound session. */
  const reopenRewound = async () => {
    const now = await open();
    if (isClosed) return;
    if (now.seq < seq) await reopenRewound();
    else onRewound?.(now);
  };

  const following: Subscription = followEvents(api, sessionId, seq, {
    onBatch: (events, frames) => {
      const fresh = events.filter((event) => event.seq > seq); // reopening may be ahead of the subscription
      for (const event of fresh) {
        const before = state;
        state = reduceSession(state, event);
        seq = event.seq;
        onEvent?.(event, before, state);
      }
      onBatch?.(fresh, frames);
      if (fresh.some(({ type }) => type === "session.rewound")) reopenRewound().catch(fail);
    },
    onRestored: async () => {
      seq = 0;
      const now = await open();
      if (!isClosed) onRestored?.(now);
      return now.seq;
    },
    onError: fail,
  });

  return {
    get state() {
      return state;
    },
    get seq() {
      return seq;
    },
    close: () => {
      isClosed = true;
      following.unsubscribe();
    },
  };
}
