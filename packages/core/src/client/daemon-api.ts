import type { LoggedEvent } from "../protocol/event.ts";
import type { StreamFrame } from "../protocol/connection/stream-frame.ts";
import type { InboxItem } from "../protocol/request.ts";
import type { ListChange, SessionRow } from "../session/session-list.ts";
import type { SessionState } from "../session/state.ts";

/** A running subscription. */
export type Subscription = { unsubscribe: () => void };

/** Receives the messages of a subscription, and the error that ended it. tRPC itself subscribes again after a lost connection. */
export type Subscriber<T> = { onData: (message: { data: T }) => void; onError?: (error: unknown) => void };

/** The state of a session after the event `seq`, and its events from `from` on. */
export type OpenedSession = { state: SessionState; seq: number; from: number; events: LoggedEvent[] };

/** Events from `from` on. Prompts that were delivered here but arrived earlier come first, so that they can be drawn. */
export type SessionEventPage = { from: number; events: LoggedEvent[] };

/**
 * The procedures of the daemon that the client engine calls, in the shape of a tRPC client: a `TRPCClient<AppRouter>` fits,
 * and so does an object of functions in a test.
 */
export type SessionApi = {
  session: {
    /** `tail`: return at least this many of the newest events. */
    open: { query: (input: { sessionId: string; tail?: number }) => Promise<OpenedSession> };
    page: { query: (input: { sessionId: string; before: number; atLeast?: number }) => Promise<SessionEventPage> };
  } & FollowApi["session"];
};

export type FollowApi = {
  session: {
    follow: {
      subscribe: (
        input: { sessionId: string; after: number },
        subscriber: Subscriber<{ events: LoggedEvent[]; frames: StreamFrame[] }>,
      ) => Subscription;
    };
  };
};

export type SessionListApi = {
  session: {
    followList: {
      subscribe: (input: { changes: true }, subscriber: Subscriber<ListChange<SessionRow> | readonly SessionRow[]>) => Subscription;
    };
  };
};

export type InboxApi = {
  request: { follow: { subscribe: (input: { window?: string }, subscriber: Subscriber<readonly InboxItem[]>) => Subscription } };
};

/** A blob goes over the wire in pieces of base64. The answer to the last piece of an upload carries the hash. */
export type BlobApi = {
  blob: {
    add: {
      mutate: (
        input: { upload: string; base64: string; last: boolean },
        options?: { context?: Record<string, unknown> },
      ) => Promise<{ hash?: string | undefined }>;
    };
    read: { query: (input: { hash: string; start: number }) => Promise<{ base64: string; more: boolean }> };
  };
};
