import type { LoggedEvent } from "../protocol/event.ts";
import type { SessionState } from "../session/state.ts";
import type { Transcript } from "../session/transcript/transcript.ts";
import { foldTranscript, transcriptOf } from "../session/transcript/build-transcript.ts";
import type { OpenedSession, SessionApi } from "./daemon-api.ts";
import { followState } from "./follow-session-state.ts";
import { addFrame, endStreams, noStreams, type StreamingState } from "./streaming-state.ts";

/** A session as a client draws it, kept up to date until it is closed. */
export type SessionView = {
  readonly id: string;
  readonly state: SessionState;
  /** The newest part of the session: its events from the seq `from` on. */
  readonly transcript: Transcript;
  readonly from: number;
  readonly streams: StreamingState;
  /** The seq of the newest event. */
  readonly seq: number;
  /** Reads the events before the transcript: at least one page, oldest first. Undefined if there are none. */
  readOlder: (before?: number) => Promise<{ from: number; transcript: Transcript } | undefined>;
  /** Drops the oldest entries of a long transcript. At least `keep` entries remain. */
  dropOldEntries: (keep: number) => void;
  close: () => void;
};

/**
 * The reason why a transcript was replaced. `rewound`: the session was rewound to before the transcript began. `restored`: the store was
 * restored to an earlier time, so the old transcript no longer applies.
 */
export type ReopenReason = "rewound" | "restored";

export type SessionViewOptions = {
  /** The number of newest events to read. The daemon returns whole steps. */
  tail?: number;
  /** Called after each batch with its events. Without events only streaming text changed. */
  onChange: (events: readonly LoggedEvent[]) => void;
  /** The transcript was replaced. */
  onReopened?: (why: ReopenReason) => void;
  /** The session cannot be followed any further. */
  onError: (error: unknown) => void;
};

const TAIL = 400;

/** Opens a session and follows it. Rejects if the daemon refuses to open it. */
export async function openSessionView(
  api: SessionApi,
  id: string,
  { tail = TAIL, onChange, onReopened, onError }: SessionViewOptions,
): Promise<SessionView> {
  const opened = await api.session.open.query({ sessionId: id, tail });
  let transcript = transcriptOf(opened.events);
  let { from } = opened;
  let streams = noStreams();

  let rewoundTo = Number.POSITIVE_INFINITY;

  const replace = (again: OpenedSession, why: ReopenReason) => {
    transcript = transcriptOf(again.events);
    ({ from } = again);
    streams = noStreams();
    onReopened?.(why);
  };
  const followed = followState(api, id, opened, {
    tail,
    onEvent: (event) => {
      foldTranscript(transcript, event);
      endStreams(streams, event);
      if (event.type === "session.rewound") rewoundTo = Math.min(rewoundTo, event.to);
    },
    onBatch: (events, frames) => {
      for (const frame of frames) addFrame(streams, frame);
      onChange(events);
    },
    onRewound: (again) => {
      const isFolded = rewoundTo >= from - 1; // the transcript reaches back far enough to be rewound by folding
      rewoundTo = Number.POSITIVE_INFINITY;
      streams = noStreams();
      if (isFolded) onChange([]);
      else replace(again, "rewound");
    },
    onRestored: (again) => replace(again, "restored"),
    onError,
  });

  return {
    id,
    get state() {
      return followed.state;
    },
    get transcript() {
      return transcript;
    },
    get from() {
      return from;
    },
    get streams() {
      return streams;
    },
    get seq() {
      return followed.seq;
    },
    async readOlder(before = from) {
      if (before <= 1) return undefined;
      const page = await api.session.page.query({ sessionId: id, before });
      return { from: page.from, transcript: transcriptOf(page.events) };
    },
    dropOldEntries(keep) {
      const shorter = withoutOldEntries(transcript, keep);
      if (shorter) ({ transcript, from } = shorter);
    },
    close: followed.close,
  };
}

/** The newest part of a transcript. It begins at a finished reply, as every page does. Undefined if there is no finished reply. */
function withoutOldEntries(transcript: Transcript, keep: number): { transcript: Transcript; from: number } | undefined {
  const { entries } = transcript;
  const start = entries.findIndex((entry, i) => i >= entries.length - keep && entry.kind === "reply" && entry.phase === "done");
  const first = entries[start];
  if (!first) return undefined;
  const kept = entries.slice(start);
  return { transcript: { ...transcript, entries: kept, index: new Map(kept.map((entry, i) => [entry.id, i])) }, from: first.seq };
}
