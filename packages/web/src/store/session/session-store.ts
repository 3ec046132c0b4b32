import { errorMessage } from "@baton/core/client/rpc-errors";
import { openSessionView, type SessionView } from "@baton/core/client/session-view";
import { noStreams, type StreamingState } from "@baton/core/client/streaming-state";
import type { LoggedEvent } from "@baton/core/protocol/event";
import type { Actor, RequestAnswer } from "@baton/core/protocol/request";
import { emptyState, type SessionState } from "@baton/core/session/state";
import type { Entry } from "@baton/core/session/transcript/entry";
import type { Api } from "../../connection/connection-types.ts";
import { runDetached } from "@baton/core/client/run-detached";

const HIDDEN_MS = 250;

/** Calls `draw` once in the next frame; less often while the page is hidden. */
function onNextFrame(draw: () => void): { ask: () => void; cancel: () => void } {
  let frame: number | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const cancel = () => {
    if (frame !== undefined) cancelAnimationFrame(frame);
    clearTimeout(timer);
    frame = undefined;
    timer = undefined;
  };
  const run = () => {
    cancel();
    draw();
  };
  return {
    cancel,
    ask: () => {
      if (frame !== undefined || timer !== undefined) return;
      if (document.visibilityState === "visible") frame = requestAnimationFrame(run);
      timer = setTimeout(run, HIDDEN_MS); // browsers stop frames of a hidden page
    },
  };
}

/** A part of the transcript that was loaded at once. Only the newest part changes. */
export type Part = { from: number; entries: readonly Entry[] };

/** A session as it is drawn: a new object for every change. `version` increases when the newest part changes. */
export type SessionSnapshot = {
  phase: "opening" | "open" | "missing";
  problem?: string;
  id: string;
  state: SessionState;
  /** The last event that it includes. */
  seq: number;
  /** The earlier parts that are loaded, then the newest one. */
  parts: readonly Part[];
  /** Whether there is more before the first part. */
  hasOlder: boolean;
  /** Why the daemon cannot write, or null. */
  stalled: string | null;
  version: number;
};

type AnsweredRequest = { at: number; by: Actor; answer: RequestAnswer };

/** The newest part keeps at most this many entries; older ones are loaded again when needed. */
const MAX_ENTRIES = 3_000;
const KEPT_ENTRIES = 1_500;

/** A session as the page draws it, published at most once per frame, with the earlier parts that are loaded. */
export class SessionViewStore {
  readonly id: string;
  /** Answers that arrived while the session was open, by request. */
  readonly answers = new Map<string, AnsweredRequest>();
  readonly #watchers = new Set<() => void>();
  readonly #frame = onNextFrame(() => this.#publish());
  #sight: SessionSnapshot;
  #view: SessionView | undefined;
  #older: Part[] = [];
  #shown: StreamingState = noStreams();
  #changed = false;
  #problem: string | null = null;
  #loadingOlder: Promise<void> | undefined;
  #closed = false;

  constructor(api: Api, id: string) {
    this.id = id;
    this.#sight = { phase: "opening", id, state: emptyState, seq: 0, parts: [], hasOlder: false, stalled: null, version: 0 };
    runDetached(this.#open(api), (error) => this.#miss(error));
  }

  readonly get = (): SessionSnapshot => this.#sight;

  /** The streaming data; the same object while nothing has changed. */
  readonly streams = (): StreamingState => this.#shown;

  readonly watch = (notify: () => void): (() => void) => {
    this.#watchers.add(notify);
    return () => void this.#watchers.delete(notify);
  };

  close(): void {
    this.#closed = true;
    this.#view?.close();
    this.#frame.cancel();
  }

  /** Loads the part before the first one. */
  loadOlder(): Promise<void> {
    if (!this.#sight.hasOlder || this.#sight.phase !== "open") return Promise.resolve();
    this.#loadingOlder ??= this.#loadPart().finally(() => (this.#loadingOlder = undefined));
    return this.#loadingOlder;
  }

  /** Unloads earlier parts. */
  forgetOlder(): void {
    const length = this.#view?.transcript.entries.length ?? 0;
    if (this.#older.length === 0 && length <= MAX_ENTRIES) return;
    this.#older = [];
    this.#changed = true;
    if (length > MAX_ENTRIES) this.#view?.dropOldEntries(KEPT_ENTRIES);
    this.#frame.ask();
  }

  async #open(api: Api): Promise<void> {
    const view = await openSessionView(api, this.id, {
      onChange: (events) => this.#take(events),
      onReopened: () => {
        this.#older = [];
        this.#changed = true;
        this.#publish();
      },
      onError: (error) => {
        this.#problem = errorMessage(error);
        this.#changed = true;
        this.#frame.ask();
      },
    });
    if (this.#closed) return view.close();
    this.#view = view;
    this.#publish();
  }

  #miss(error: unknown): void {
    if (this.#closed) return;
    this.#sight = { ...this.#sight, phase: "missing", problem: errorMessage(error) };
    for (const notify of this.#watchers) notify();
  }

  #take(events: readonly LoggedEvent[]): void {
    for (const event of events)
      if (event.type === "request.answered") this.answers.set(event.requestId, { at: event.at, by: event.by, answer: event.answer });
    if (events.length > 0 || this.#view?.streams.stalled !== this.#sight.stalled) this.#changed = true;
    this.#frame.ask();
  }

  async #loadPart(): Promise<void> {
    const before = this.#older[0]?.from ?? this.#view?.from;
    const part = await this.#view?.readOlder(before);
    if (!part || this.#closed || before !== (this.#older[0]?.from ?? this.#view?.from)) return;
    this.#older = [{ from: part.from, entries: part.transcript.entries }, ...this.#older];
    this.#changed = true;
    this.#publish();
  }

  /** Frames alone do not change the snapshot, so that only streaming content is redrawn. */
  #publish(): void {
    if (!this.#view) return;
    this.#shown = { ...this.#view.streams };
    if (this.#changed || this.#sight.phase !== "open") this.#sight = this.#look(this.#view);
    this.#changed = false;
    for (const notify of this.#watchers) notify();
  }

  #look({ state, seq, from, transcript, streams }: SessionView): SessionSnapshot {
    const parts = [...this.#older, { from, entries: transcript.entries }];
    return {
      phase: "open",
      id: this.id,
      state,
      seq,
      parts,
      hasOlder: (parts[0]?.from ?? 1) > 1,
      stalled: this.#problem ?? streams.stalled,
      version: transcript.version,
    };
  }
}
