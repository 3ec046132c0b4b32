import type { Logged } from "@baton/core/protocol/event";
import type { Actor, Answer } from "@baton/core/protocol/request";
import { reduce } from "@baton/core/session/reduce";
import { empty, type SessionState } from "@baton/core/session/state";
import { emptyTranscript, foldTranscript, type Entry, type Transcript } from "@baton/core/session/transcript";
import type { Api } from "../link/link.ts";
import { inBackground } from "../link/in-background.ts";
import { messageFor, refusalIn } from "../link/problem.ts";
import { atFrame } from "./frame.ts";
import { noStreams, settle, takeFrame, type Streams } from "./streams.ts";

/** A part of the transcript that was loaded at once. Only the newest one still changes. */
export type Part = { from: number; entries: readonly Entry[] };

/** A session as it is drawn. A new object for every change; `version` goes up with what changed in the newest part. */
export type Sight = {
  phase: "opening" | "open" | "missing";
  problem?: string;
  id: string;
  state: SessionState;
  /** Complete up to this event. */
  seq: number;
  /** The earlier parts that were loaded, then the newest one. */
  parts: readonly Part[];
  /** Whether there is more before the first part. */
  hasOlder: boolean;
  /** Why the daemon cannot write, or null. */
  stalled: string | null;
  version: number;
};

export type Answered = { at: number; by: Actor; answer: Answer };

/** More entries than this are not kept in the newest part; older ones are loaded again when they are wanted. */
const MOST_ENTRIES = 3_000;
const KEPT_ENTRIES = 1_500;

/** One session, brought up to date until it is closed: core's folds over what the daemon sends, and nothing of its own. */
export class SessionStore {
  readonly id: string;
  /** Answers that came while it was open, by request. */
  readonly answers = new Map<string, Answered>();
  readonly #api: Api;
  readonly #watchers = new Set<() => void>();
  readonly #frame = atFrame(() => this.#publish());
  #sight: Sight;
  #transcript: Transcript = emptyTranscript();
  #from = 1;
  #older: Part[] = [];
  #streams: Streams = noStreams();
  #shown: Streams = this.#streams;
  #changed = false;
  #state: SessionState = empty;
  #seq = 0;
  #following: { unsubscribe: () => void } | undefined;
  #loadingOlder: Promise<void> | undefined;
  #closed = false;

  constructor(api: Api, id: string) {
    this.#api = api;
    this.id = id;
    this.#sight = { phase: "opening", id, state: empty, seq: 0, parts: [], hasOlder: false, stalled: null, version: 0 };
    this.#openAgain();
  }

  readonly get = (): Sight => this.#sight;

  /** What is streaming now; the same object while nothing of it has changed. */
  readonly streams = (): Streams => this.#shown;

  readonly watch = (look: () => void): (() => void) => {
    this.#watchers.add(look);
    return () => void this.#watchers.delete(look);
  };

  close(): void {
    this.#closed = true;
    this.#following?.unsubscribe();
    this.#frame.cancel();
  }

  /** Loads the part before the first one. */
  loadOlder(): Promise<void> {
    if (!this.#sight.hasOlder || this.#sight.phase !== "open") return Promise.resolve();
    this.#loadingOlder ??= this.#loadPart().finally(() => (this.#loadingOlder = undefined));
    return this.#loadingOlder;
  }

  /** Lets go of what lies far above, when nobody looks at it. */
  forgetOlder(): void {
    const { entries } = this.#transcript;
    if (this.#older.length === 0 && entries.length <= MOST_ENTRIES) return;
    this.#older = [];
    this.#changed = true;
    if (entries.length > MOST_ENTRIES) this.#shorten();
    this.#frame.ask();
  }

  #openAgain(): void {
    inBackground(this.#open(), (error) => this.#miss(error));
  }

  async #open(): Promise<void> {
    this.#following?.unsubscribe();
    const { state, seq, events, from } = await this.#api.session.open.query({ sessionId: this.id });
    if (this.#closed) return;
    const transcript = emptyTranscript();
    for (const event of events) foldTranscript(transcript, event);
    [this.#state, this.#seq, this.#transcript, this.#from] = [state, seq, transcript, from];
    [this.#older, this.#streams, this.#changed] = [[], noStreams(), true];
    this.#publish();
    this.#follow(seq);
  }

  #miss(error: unknown): void {
    if (this.#closed) return;
    this.#sight = { ...this.#sight, phase: "missing", problem: messageFor(error) };
    for (const look of this.#watchers) look();
  }

  #follow(after: number): void {
    this.#following = this.#api.session.follow.subscribe(
      { sessionId: this.id, after },
      {
        onData: ({ data }) => {
          for (const event of data.events) if (event.seq > this.#seq) this.#take(event);
          for (const frame of data.frames) {
            takeFrame(this.#streams, frame);
            if (frame.type === "stalled") this.#changed = true;
          }
          if (data.events.some(({ type }) => type === "session.rewound")) this.#openAgain();
          else this.#frame.ask();
        },
        onError: (error) => {
          if (this.#closed) return;
          if (refusalIn(error)?.code === "resync") this.#openAgain();
          else this.#streams.stalled = messageFor(error);
          this.#changed = true;
          this.#frame.ask();
        },
      },
    );
  }

  #take(event: Logged): void {
    this.#changed = true;
    this.#state = reduce(this.#state, event);
    this.#seq = event.seq;
    foldTranscript(this.#transcript, event);
    settle(this.#streams, event);
    if (event.type === "request.answered") this.answers.set(event.requestId, { at: event.at, by: event.by, answer: event.answer });
  }

  async #loadPart(): Promise<void> {
    const before = this.#older[0]?.from ?? this.#from;
    const { from, events } = await this.#api.session.page.query({ sessionId: this.id, before });
    if (this.#closed || before !== (this.#older[0]?.from ?? this.#from)) return;
    const transcript = emptyTranscript();
    for (const event of events) foldTranscript(transcript, event);
    this.#older = [{ from, entries: transcript.entries }, ...this.#older];
    this.#changed = true;
    this.#publish();
  }

  /** Drops the oldest entries of the newest part; it begins at a step, as every part does. */
  #shorten(): void {
    const { entries } = this.#transcript;
    const start = entries.findIndex((entry, i) => i >= entries.length - KEPT_ENTRIES && entry.kind === "reply" && entry.phase === "done");
    const first = entries[start];
    if (!first) return;
    const kept = entries.slice(start);
    this.#transcript = { ...this.#transcript, entries: kept, index: new Map(kept.map((entry, i) => [entry.id, i])) };
    this.#from = first.seq;
  }

  /** Frames alone leave the sight as it was: only what streams is drawn anew. */
  #publish(): void {
    this.#shown = { ...this.#streams };
    if (this.#changed || this.#sight.phase !== "open") this.#look();
    this.#changed = false;
    for (const look of this.#watchers) look();
  }

  #look(): void {
    const { entries, version } = this.#transcript;
    const parts = [...this.#older, { from: this.#from, entries }];
    this.#sight = {
      phase: "open",
      id: this.id,
      state: this.#state,
      seq: this.#seq,
      parts,
      hasOlder: (parts[0]?.from ?? 1) > 1,
      stalled: this.#streams.stalled,
      version,
    };
  }
}
