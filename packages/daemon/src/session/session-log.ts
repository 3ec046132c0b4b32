import type { SessionId } from "@baton/core/protocol/ids";
import { withoutInvalidPayload, type LoggedEvent, type SessionEvent } from "@baton/core/protocol/event";
import { buildMessages, type Message } from "@baton/core/session/context/build-messages";
import type { Entry } from "@baton/core/session/transcript/entry";
import { foldTranscript } from "@baton/core/session/transcript/build-transcript";
import { emptyTranscript, type Transcript } from "@baton/core/session/transcript/transcript";
import type { EventLog } from "../store/event-log.ts";

const RECENT = 512;
const FOLDED_AT_ONCE = 2_000;

/** The events of a session for its readers: the newest ones from memory, and the conversation, which is folded when it is first read. */
export class SessionLog {
  readonly #id: SessionId;
  readonly #stored: Pick<EventLog, "read">;
  #seq = 0;
  #recent: LoggedEvent[] = [];
  #transcript: Transcript = emptyTranscript();
  #drawn = 0;
  #messages = new WeakMap<Entry, Message>();
  /** Which of its events this version does not understand, if any. */
  unreadable: string | undefined;

  constructor(id: SessionId, stored: Pick<EventLog, "read">) {
    this.#id = id;
    this.#stored = stored;
  }

  /** The seq of the newest event. */
  get seq(): number {
    return this.#seq;
  }

  /** Begins after the events of a stored state. */
  startAfter(seq: number): void {
    this.#seq = seq;
  }

  /** The conversation for the model. The first call after opening folds the whole log, in parts. */
  async messages(): Promise<Message[]> {
    await this.entries();
    return buildMessages(this.#transcript, this.#messages);
  }

  /** The whole conversation, as clients draw it. */
  async entries(): Promise<readonly Entry[]> {
    while (this.#drawn < this.#seq) {
      const events = await this.read(this.#drawn, FOLDED_AT_ONCE);
      for (const event of events) if (event.seq === this.#drawn + 1) this.#draw(event);
    }
    return this.#transcript.entries;
  }

  /** At most `limit` events after `after`, from memory if they are recent, otherwise from the store. */
  async read(after: number, limit = 500): Promise<LoggedEvent[]> {
    const first = this.#recent[0]?.seq ?? this.#seq + 1;
    if (after >= first - 1) return this.#recent.slice(after - first + 1, after - first + 1 + limit);
    return this.readStored(after, limit);
  }

  readAll(): Promise<LoggedEvent[]> {
    return this.read(0, Number.MAX_SAFE_INTEGER);
  }

  /** At most `limit` events of the store after `after`. Events that this version does not understand have an unknown type. */
  async readStored(after = 0, limit?: number): Promise<LoggedEvent[]> {
    const events = await this.#stored.read<SessionEvent>(this.#id, after, limit);
    return this.unreadable === undefined ? events : events.map(withoutInvalidPayload);
  }

  /** Remembers the next event. */
  keep(event: LoggedEvent): void {
    this.#seq = event.seq;
    if (this.#drawn === event.seq - 1) this.#draw(event);
    this.#recent.push(event);
    if (this.#recent.length > 2 * RECENT) this.#recent = this.#recent.slice(-RECENT);
  }

  /** Releases memory that can be read from the store again. */
  rest(): void {
    this.#transcript = emptyTranscript();
    this.#drawn = 0;
    this.#messages = new WeakMap();
    this.#recent = [];
  }

  #draw(event: LoggedEvent): void {
    foldTranscript(this.#transcript, event);
    this.#drawn = event.seq;
  }
}
