import type { RequestAnswer, Request } from "@baton/core/protocol/request";
import type { LoggedEvent } from "@baton/core/protocol/event";
import type { StreamFrame } from "@baton/core/protocol/connection/stream-frame";
import type { SessionId } from "@baton/core/protocol/ids";
import { reduceSession } from "@baton/core/session/reduce";
import { emptyState, openRequests, type SessionState } from "@baton/core/session/state";
import type { Api } from "../../src/client/index.ts";

export type Finished = Extract<LoggedEvent, { type: "tool.finished" }>;

type Waiting = { test: () => boolean; done: () => void };

type PromptOptions = { delivery?: "queue" | "steer"; mode?: string; model?: string; stepLimit?: number; commandId?: string };

/** A session as a client sees it: every event that it received, and the state that it folded from them. */
export class TestSession implements Disposable {
  readonly id: SessionId;
  readonly events: LoggedEvent[] = [];
  readonly frames: StreamFrame[] = [];
  state: SessionState = emptyState;
  readonly api: Api;
  readonly #waiting = new Set<Waiting>();
  readonly #following: { unsubscribe: () => void };

  constructor(api: Api, id: string) {
    this.api = api;
    this.id = id as SessionId;
    this.#following = api.session.follow.subscribe(
      { sessionId: id },
      {
        onData: ({ data }) => {
          for (const event of data.events) {
            this.events.push(event);
            this.state = reduceSession(this.state, event);
          }
          this.frames.push(...data.frames);
          this.#wake();
        },
      },
    );
  }

  /** The calls that have ended, in the order in which the model made them. Calls of one step run in parallel and end in any order. */
  get finished(): Finished[] {
    return this.events
      .filter((event) => event.type === "tool.finished")
      .toSorted((one, other) => one.callId.localeCompare(other.callId, "en", { numeric: true }));
  }

  prompt(text: string, more: PromptOptions = {}): Promise<{ seq: number }> {
    const { delivery = "queue", commandId = crypto.randomUUID(), ...rest } = more;
    return this.api.session.send.mutate({
      sessionId: this.id,
      commandId,
      wish: { type: "prompt", promptId: crypto.randomUUID(), text, delivery, ...rest },
    });
  }

  /** Sends a prompt and waits until the n-th turn has ended. */
  async runTurn(text: string, turns = 1, more: PromptOptions = {}): Promise<void> {
    await this.prompt(text, more);
    await this.untilEnd(turns);
  }

  wish(wish: Parameters<Api["session"]["send"]["mutate"]>[0]["wish"], commandId: string = crypto.randomUUID()): Promise<{ seq: number }> {
    return this.api.session.send.mutate({ sessionId: this.id, commandId, wish });
  }

  /** Answers the oldest open request, or the named one, and waits until this client sees the answer. */
  async answer(answer: RequestAnswer, requestId?: string): Promise<{ seq: number }> {
    const id = requestId ?? openRequests(this.state)[0]?.id;
    if (id === undefined) throw new Error(`session ${this.id} has no open request`);
    const settled = await this.api.request.answer.mutate({ commandId: crypto.randomUUID(), requestId: id, answer });
    await this.until(`the answer to ${id}`, ({ events }) => (events.at(-1)?.seq ?? 0) >= settled.seq);
    return settled;
  }

  /** Resolves when the folded state or the events match. Fails after `patienceMs` with the events that it has. */
  async until(what: string, test: (session: TestSession) => boolean, patienceMs = 60_000): Promise<void> {
    if (test(this)) return;
    await new Promise<void>((done, fail) => {
      const waiting: Waiting = { test: () => test(this), done };
      this.#waiting.add(waiting);
      setTimeout(
        () =>
          fail(
            new Error(
              `waited for ${what}; saw ${this.events.length} events, the last of them ${this.events
                .slice(-20)
                .map((event) => event.type)
                .join(" ")}`,
            ),
          ),
        patienceMs,
      ).unref();
    });
  }

  /** Waits until this many requests are open, and returns the oldest. */
  async untilOpen(count = 1): Promise<Request> {
    await this.until(`${count} open requests`, ({ state }) => openRequests(state).length === count);
    const [oldest] = openRequests(this.state);
    if (!oldest) throw new Error("no request is open");
    return oldest;
  }

  /** Waits until the n-th turn has ended. */
  untilEnd(turns = 1): Promise<void> {
    return this.until(`the end of turn ${turns}`, ({ state }) => state.turns >= turns && !state.turn);
  }

  /** Stops following. Later events are not seen. */
  [Symbol.dispose](): void {
    this.#following.unsubscribe();
  }

  #wake(): void {
    for (const waiting of this.#waiting) {
      if (!waiting.test()) continue;
      this.#waiting.delete(waiting);
      waiting.done();
    }
  }
}
