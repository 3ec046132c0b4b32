import { expect } from "vitest";
import { readAllEvents, followEvents } from "../src/client/follow-events.ts";
import type { SessionApi } from "../src/client/daemon-api.ts";
import { openSessionView, type ReopenReason, type SessionView } from "../src/client/session-view.ts";
import { transcriptOf } from "../src/session/transcript/build-transcript.ts";
import type { LoggedEvent } from "../src/protocol/event.ts";

/** A daemon, real or fake, with one session in it. */
export type Stage = {
  api: SessionApi;
  sessionId: string;
  /** Runs one turn to its end; `text` is the prompt. Resolves when the daemon has stored its last event. */
  turn: (text: string) => Promise<void>;
  /** Cuts the connection several times while `during` runs. */
  cutting: (during: () => Promise<void>) => Promise<void>;
  /** Runs a command that prints `line 1` to `line 20`, and cuts the connection while it prints. Resolves before the command ends. */
  print: () => Promise<void>;
  /** Lets the command of `print` end. */
  endPrinting: () => Promise<void>;
  /** Rewinds the session to before the prompt with this text. */
  rewind: (text: string) => Promise<void>;
  /** Runs one turn, then restores the store to the time before it. */
  restore: () => Promise<void>;
};

type Observed = AsyncDisposable & { view: SessionView; events: LoggedEvent[]; reopened: ReopenReason[] };

async function observe({ api, sessionId }: Stage, tail = 400): Promise<Observed> {
  const events: LoggedEvent[] = [];
  const reopened: ReopenReason[] = [];
  const view = await openSessionView(api, sessionId, {
    tail,
    onChange: (more) => void events.push(...more),
    onReopened: (why) => void reopened.push(why),
    onError: (error) => {
      throw error;
    },
  });
  return { view, events, reopened, [Symbol.asyncDispose]: () => Promise.resolve(view.close()) };
}

/** Checks that the view has the state and the transcript that the daemon returns. */
async function untilSame({ api, sessionId }: Stage, { view }: Observed): Promise<void> {
  const { state, seq } = await api.session.open.query({ sessionId });
  await expect.poll(() => view.seq, { timeout: 30_000 }).toBe(seq);
  await expect.poll(() => view.state, { timeout: 30_000 }).toEqual(state);
  const entries = transcriptOf(await readAllEvents(api, sessionId)).entries.map(({ id }) => id);
  expect(view.transcript.entries.map(({ id }) => id)).toEqual(entries);
}

/** The guarantees for every client of a session, over any connection. */
export const scenarios: Record<string, (stage: Stage) => Promise<void>> = {
  "events come once and in order, however often the connection is cut": async (stage) => {
    await stage.turn("first");
    await using observed = await observe(stage);
    const begin = observed.view.seq;
    await stage.cutting(async () => {
      for (let nth = 1; nth <= 5; nth++) await stage.turn(`turn ${nth}`);
    });
    await untilSame(stage, observed);
    expect(observed.events.map(({ seq }) => seq)).toEqual(Array.from({ length: observed.view.seq - begin }, (_, i) => begin + 1 + i));
    expect(observed.reopened).toEqual([]);
  },

  "the output of a running command appears once after a cut": async (stage) => {
    await using observed = await observe(stage);
    const frames: string[] = [];
    const following = followEvents(stage.api, stage.sessionId, 0, {
      onBatch: (_, more) => frames.push(...more.flatMap((frame) => (frame.type === "output" ? [frame.text] : []))),
      onError: () => undefined,
    });
    await stage.print();
    const expected = Array.from({ length: 20 }, (_, i) => `line ${i + 1}\n`).join("");
    const shown = () => [...observed.view.streams.outputs.values()].map(({ text }) => text);
    await expect.poll(shown, { timeout: 30_000 }).toEqual([expected]);
    await expect.poll(() => frames.join(""), { timeout: 30_000 }).toBe(expected);
    following.unsubscribe();
    await stage.endPrinting();
    await untilSame(stage, observed);
    expect(shown()).toEqual([]);
  },

  "a session that is rewound is as the daemon has it": async (stage) => {
    await stage.turn("first");
    await using observed = await observe(stage);
    await stage.turn("second");
    await stage.turn("third");
    await stage.rewind("second");
    await untilSame(stage, observed);
    await stage.turn("fourth");
    await untilSame(stage, observed);
    expect(observed.reopened).toEqual([]);
  },

  "a session that is rewound to before the part that was read is read again": async (stage) => {
    await stage.turn("first");
    await stage.turn("second");
    await using observed = await observe(stage, 1);
    expect(observed.view.from).toBeGreaterThan(1);
    await stage.rewind("first");
    await expect.poll(() => observed.reopened, { timeout: 30_000 }).toEqual(["rewound"]);
    const { state } = await stage.api.session.open.query({ sessionId: stage.sessionId });
    await expect.poll(() => observed.view.state, { timeout: 30_000 }).toEqual(state);
  },

  "a client goes on after the store was restored to an earlier time": async (stage) => {
    await stage.turn("first");
    await using observed = await observe(stage);
    await stage.restore();
    await expect.poll(() => observed.reopened, { timeout: 60_000 }).toEqual(["restored"]);
    await untilSame(stage, observed);
    await stage.turn("another");
    await untilSame(stage, observed);
  },
};
