import type { SessionApi, Subscriber } from "../src/client/daemon-api.ts";
import type { LoggedEvent, SessionEvent } from "../src/protocol/event.ts";
import type { StreamFrame } from "../src/protocol/connection/stream-frame.ts";
import { effectiveEvents, foldEffective } from "../src/session/effective-events.ts";
import { created } from "./session-events.ts";

type Followed = { events: LoggedEvent[]; frames: StreamFrame[] };
type Follower = { position: number; subscriber: Subscriber<Followed> };

/** An error of the daemon, in the shape that a tRPC client gets. */
export const answeredError = (data: object): Error =>
  Object.assign(new Error("refused"), { name: "TRPCClientError", shape: { data }, data });

/** One session of a daemon, in memory. A test can cut its subscriptions, like connections. */
export class FakeDaemon {
  readonly events: LoggedEvent[] = [];
  /** Called for each `open`, before the daemon answers. It throws if the connection is lost. */
  onOpen: (() => void) | undefined;
  /** The text that is streaming now. A subscription receives it from the start. */
  frames: StreamFrame[] = [];
  readonly #followers = new Set<Follower>();

  constructor(...events: SessionEvent[]) {
    this.append(created, ...events);
  }

  readonly api: SessionApi = {
    session: {
      open: {
        query: async ({ tail = 400 }) => {
          this.onOpen?.();
          const seq = this.events.length;
          const from = Math.max(1, seq - tail + 1);
          return { state: foldEffective(this.events), seq, from, events: this.#page(from, seq + 1) };
        },
      },
      page: {
        query: ({ before, atLeast = 400 }) => {
          const from = Math.max(1, before - atLeast);
          return Promise.resolve({ from, events: this.#page(from, before) });
        },
      },
      follow: {
        subscribe: ({ after }, subscriber) => {
          const follower = { position: after, subscriber };
          this.#followers.add(follower);
          queueMicrotask(() => this.#begin(follower));
          return { unsubscribe: () => void this.#followers.delete(follower) };
        },
      },
    },
  };

  append(...events: SessionEvent[]): void {
    this.commit(...events);
    this.send();
  }

  /** Commits events that no subscription has received yet. */
  commit(...events: SessionEvent[]): void {
    for (const event of events) this.events.push({ ...event, seq: this.events.length + 1, at: (this.events.length + 1) * 1_000 });
  }

  /** Sends what the subscriptions lack. */
  send(): void {
    for (const follower of this.#followers) this.#send(follower, []);
  }

  stream(...frames: StreamFrame[]): void {
    this.frames.push(...frames);
    for (const follower of this.#followers) this.#send(follower, frames);
  }

  /** Cuts every connection. tRPC subscribes again by itself, from the last message, and the daemon sends streaming text from its start. */
  cut(): void {
    for (const follower of this.#followers) this.#send(follower, this.frames);
  }

  /** Ends every subscription with an error of the daemon. */
  fail(data: object = { code: "INTERNAL_SERVER_ERROR" }): void {
    const followers = [...this.#followers];
    this.#followers.clear();
    for (const { subscriber } of followers) subscriber.onError?.(answeredError(data));
  }

  /** Restores the store to the time when the session had `seq` events. */
  restore(seq: number): void {
    this.events.length = seq;
    this.frames = [];
    this.fail({ refusal: { code: "resync", message: "The log has changed. Open the session again." } });
  }

  #page(from: number, before: number): LoggedEvent[] {
    return effectiveEvents(this.events).filter(({ seq }) => seq >= from && seq < before);
  }

  #begin(follower: Follower): void {
    if (!this.#followers.has(follower)) return;
    if (follower.position > this.events.length) {
      this.#followers.delete(follower);
      follower.subscriber.onError?.(answeredError({ refusal: { code: "resync", message: "Open the session again." } }));
    } else this.#send(follower, this.frames);
  }

  #send(follower: Follower, frames: readonly StreamFrame[]): void {
    const events = this.events.slice(follower.position);
    follower.position = this.events.length;
    follower.subscriber.onData({ data: { events, frames: [...frames] } });
  }
}
