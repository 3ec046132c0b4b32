import type { LoggedEvent } from "../protocol/event.ts";
import type { StreamFrame } from "../protocol/connection/stream-frame.ts";
import { reduceSession } from "../session/reduce.ts";
import type { SessionState } from "../session/state.ts";
import type { OpenedSession, SessionApi, Subscription } from "./daemon-api.ts";
import { followEvents, RETRY_DELAY_MS } from "./follow-events.ts";
import { refusalOf } from "./rpc-errors.ts";

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
  let timer: Timer | undefined;
  /** What the daemon returned for a rewound session, until the events up to its seq have arrived. */
  let ahead: OpenedSession | undefined;
  const fail = (error: unknown) => {
    if (!isClosed) onError(error);
  };

  /** Reads the session again, however often the connection is cut meanwhile. */
  const open = async (delay = RETRY_DELAY_MS.min): Promise<OpenedSession> => {
    try {
      return await api.session.open.query({ sessionId, tail });
    } catch (error) {
      if (isClosed || refusalOf(error)) throw error;
      await new Promise<void>((elapsed) => {
        timer = setTimeout(elapsed, delay);
      });
      return open(Math.min(delay * 2, RETRY_DELAY_MS.max));
    }
  };
  /**
   * Only the daemon has the whole log, so only it knows the state of a rewound session. That state may include events that have not
   * arrived yet. It applies when they have, so that none of them is missed.
   */
  const reopenRewound = async (): Promise<void> => {
    const now = await open();
    if (isClosed) return;
    if (now.seq < seq) return reopenRewound();
    ahead = now;
    catchUp();
  };
  const catchUp = () => {
    if (ahead?.seq !== seq) return;
    const now = ahead;
    ahead = undefined;
    ({ state } = now);
    onRewound?.(now);
  };

  const following: Subscription = followEvents(api, sessionId, seq, {
    onBatch: (events, frames) => {
      const fresh = events.filter((event) => event.seq > seq); // a restored session may be ahead of the subscription
      for (const event of fresh) {
        const before = state;
        state = event.seq === ahead?.seq ? ahead.state : reduceSession(state, event);
        seq = event.seq;
        onEvent?.(event, before, state);
        catchUp();
      }
      onBatch?.(fresh, frames);
      if (fresh.some(({ type }) => type === "session.rewound")) reopenRewound().catch(fail);
    },
    onRestored: async () => {
      ahead = undefined;
      const now = await open();
      if (!isClosed) {
        ({ state, seq } = now);
        onRestored?.(now);
      }
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
      clearTimeout(timer);
      following.unsubscribe();
    },
  };
}
