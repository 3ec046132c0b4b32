import type { Logged } from "@baton/core/protocol/event";
import type { Frame } from "@baton/core/protocol/frame";
import type { CallId } from "@baton/core/protocol/ids";
import { reduce } from "@baton/core/session/reduce";
import type { SessionState } from "@baton/core/session/state";
import { emptyTranscript, foldTranscript, type Transcript } from "@baton/core/session/transcript";
import { withPiece, type Tail } from "@baton/core/text/tail";
import { refusalOf } from "@baton/daemon/client";
import { inBackground } from "./in-background.ts";
import type { Api } from "./link.ts";

/** Text that is streaming: of the reply under way, and of running calls. */
export type Streams = {
  /** `call`: the one whose arguments are coming, and how many characters there are of them. */
  reply: { step: number; attempt: number; text: string; call?: { tool: string; characters: number } } | undefined;
  outputs: Map<CallId, Tail>;
  stalled: string | null;
};

/** A session as a client sees it: state, transcript and what is streaming, brought up to date until it is closed. */
export type Feed = {
  id: string;
  state: SessionState;
  transcript: Transcript;
  streams: Streams;
  seq: number;
  from: number;
  close: () => void;
};

export type FeedOptions = {
  tail?: number;
  /** After each batch. Called with the events that are new; empty when only frames came. */
  onChange: (events: readonly Logged[]) => void;
  onProblem: (error: unknown) => void;
  /** The log was put back to an earlier time: nothing that was known of the session holds any more. */
  onAnew?: () => void;
};

/** Opens a session and follows it from exactly there. */
export async function openFeed(api: Api, sessionId: string, { tail = 400, onChange, onProblem, onAnew }: FeedOptions): Promise<Feed> {
  const { state, seq, events, from } = await api.session.open.query({ sessionId, tail });
  const feed: Feed = {
    id: sessionId,
    state,
    transcript: emptyTranscript(),
    streams: { reply: undefined, outputs: new Map(), stalled: null },
    seq,
    from,
    close: () => undefined,
  };
  for (const event of events) foldTranscript(feed.transcript, event);
  let stop: (() => void) | undefined;
  let isClosed = false;
  const follow = () => {
    if (isClosed) return;
    const following = api.session.follow.subscribe(
      { sessionId, after: feed.seq },
      {
        onData: ({ data }) => {
          const fresh = data.events.filter((event) => event.seq > feed.seq);
          for (const event of fresh) takeEvent(feed, event);
          for (const frame of data.frames) takeFrame(feed.streams, frame);
          if (fresh.some(({ type }) => type === "session.rewound"))
            inBackground(
              rewound(api, feed).then(() => onChange([])),
              onProblem,
            );
          onChange(fresh);
        },
        onError: (error) => {
          if (refusalOf(error)?.code !== "resync") return onProblem(refusalOf(error)?.message ?? error);
          const again = openedAnew(api, feed, tail).then(() => {
            onAnew?.();
            onChange([]);
            follow();
          });
          inBackground(again, onProblem);
        },
      },
    );
    stop = () => following.unsubscribe();
  };
  follow();
  feed.close = () => {
    isClosed = true;
    stop?.();
  };
  return feed;
}

/** The log was put back to an earlier time (`baton db restore`), so what is known of the session is forgotten. */
async function openedAnew(api: Api, feed: Feed, tail: number): Promise<void> {
  const { state, seq, events, from } = await api.session.open.query({ sessionId: feed.id, tail });
  Object.assign(feed, {
    state,
    seq,
    from,
    transcript: emptyTranscript(),
    streams: { reply: undefined, outputs: new Map(), stalled: null },
  });
  for (const event of events) foldTranscript(feed.transcript, event);
}

/** Only the daemon, which has the whole log, knows the state that a rewinding leads back to. */
async function rewound(api: Api, feed: Feed): Promise<void> {
  const { state, seq } = await api.session.open.query({ sessionId: feed.id, tail: 1 });
  if (seq >= feed.seq) feed.state = state;
}

function takeEvent(feed: Feed, event: Logged): void {
  feed.state = reduce(feed.state, event);
  feed.seq = event.seq;
  foldTranscript(feed.transcript, event);
  if (event.type === "tool.finished") feed.streams.outputs.delete(event.callId);
  if (event.type === "model.replied" || event.type === "turn.ended") feed.streams.reply = undefined;
}

/** Offsets count from the start of the text, so what comes again after a lost connection overwrites. */
function takeFrame(streams: Streams, frame: Frame): void {
  switch (frame.type) {
    case "text": {
      const { step, attempt, offset, text } = frame;
      const before = streams.reply?.step === step && streams.reply.attempt === attempt ? streams.reply.text : "";
      streams.reply = { step, attempt, text: before.slice(0, offset) + text };
      return;
    }
    case "output":
      return void streams.outputs.set(frame.callId, withPiece(streams.outputs.get(frame.callId), frame, OUTPUT_KEPT));
    case "stalled":
      streams.stalled = frame.message;
      return;
    case "call": {
      const { step, attempt, tool, offset, text } = frame;
      const before = streams.reply?.step === step && streams.reply.attempt === attempt ? streams.reply.text : "";
      streams.reply = { step, attempt, text: before, call: { tool, characters: offset + text.length } };
      return;
    }
    case "reasoning":
      return;
  }
}

/** Only the last line of a running call is shown. */
const OUTPUT_KEPT = 8_192;
