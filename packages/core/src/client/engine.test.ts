import { expect, test, vi } from "vitest";
import { scenarios, type Stage } from "../../test/client-scenarios.ts";
import { FakeDaemon } from "../../test/fake-daemon.ts";
import { allow, begun, delivered, ended, finished, prompted, replied, started } from "../../test/session-events.ts";
import type { CallId } from "../protocol/ids.ts";
import type { SessionEvent } from "../protocol/event.ts";
import { effectiveEvents, foldEffective } from "../session/effective-events.ts";
import { transcriptOf } from "../session/transcript/build-transcript.ts";
import { followEvents } from "./follow-events.ts";
import { openSessionView } from "./session-view.ts";

const callId = "s100.1" as CallId;

function fakeStage(): Stage & { daemon: FakeDaemon } {
  const daemon = new FakeDaemon();
  let step = 0;
  const beginOf = new Map<string, { seq: number; step: number; turn: number }>();
  let turns = 0;
  const turn = (text: string) => {
    beginOf.set(text, { seq: daemon.events.length, step, turn: turns });
    step++;
    turns++;
    daemon.append(prompted(text), delivered(text), started(step), replied(step, `Reply to ${text}`), ended("completed"));
    return Promise.resolve();
  };
  return {
    daemon,
    api: daemon.api,
    sessionId: "s",
    turn,
    async cutting(during) {
      const cuts = setInterval(() => daemon.cut(), 1);
      await during();
      daemon.cut();
      clearInterval(cuts);
    },
    print() {
      daemon.append(prompted("print"), delivered("print"), started(100), replied(100, "", "run_command"), allow(callId), begun(callId));
      let offset = 0;
      for (let nth = 1; nth <= 20; nth++) {
        const text = `line ${nth}\n`;
        daemon.stream({ type: "output", callId, offset, text });
        offset += text.length;
        if (nth % 5 === 0) daemon.cut();
      }
      return Promise.resolve();
    },
    endPrinting() {
      daemon.frames = [];
      daemon.append(finished(callId), ended("completed"));
      return Promise.resolve();
    },
    rewind(text) {
      const { seq, step: n, turn: nth } = beginOf.get(text) ?? { seq: 0, step: 0, turn: 0 };
      daemon.append({ type: "session.rewound", to: seq, step: n, turn: nth, by: { person: "test" } });
      return Promise.resolve();
    },
    async restore() {
      const { length } = daemon.events;
      await turn("lost in the restore");
      daemon.restore(length);
    },
  };
}

test.each(Object.entries(scenarios))("%s", async (_, scenario) => scenario(fakeStage()));

test("a subscription that the daemon ended with an internal error continues at its position", async () => {
  const { daemon, api, turn } = fakeStage();
  const seen: number[] = [];
  const following = followEvents(api, "s", 0, {
    onBatch: (events) => seen.push(...events.map(({ seq }) => seq)),
    onError: () => undefined,
  });
  await turn("first");
  daemon.fail();
  await turn("second");
  await expect.poll(() => seen).toEqual(daemon.events.map(({ seq }) => seq));
  following.unsubscribe();
});

/** A view of a session with two turns, and a rewind to before the second one. */
async function rewinding(tail: number) {
  const { daemon, api, turn } = fakeStage();
  await turn("first");
  const to = daemon.events.length;
  await turn("second");
  const errors: unknown[] = [];
  const view = await openSessionView(api, "s", { tail, onChange: () => undefined, onError: (error) => errors.push(error) });
  const rewound: SessionEvent = { type: "session.rewound", to, step: 1, turn: 1, by: { person: "test" } };
  const isSame = () => {
    expect(view.seq).toBe(daemon.events.length);
    expect(view.state).toEqual(foldEffective(daemon.events));
    const events = effectiveEvents(daemon.events).filter(({ seq }) => seq >= view.from);
    const entries = transcriptOf(events).entries.map(({ id }) => id);
    expect(view.transcript.entries.map(({ id }) => id)).toEqual(entries);
    expect(errors).toEqual([]);
  };
  return { daemon, view, rewound, isSame };
}

const third = [prompted("third"), delivered("third"), started(2), replied(2, "Reply to third"), ended("completed")];

test.each([400, 1])("no event is missed if a rewound session goes on before it is read again (tail %i)", async (tail) => {
  const { daemon, view, rewound, isSame } = await rewinding(tail);
  daemon.onOpen = () => {
    daemon.onOpen = undefined;
    daemon.commit(...third);
    setTimeout(() => daemon.send());
  };
  daemon.append(rewound);
  await vi.waitFor(isSame);
  view.close();
});

test("a connection that is lost while a rewound session is read again does not end the view", async () => {
  const { daemon, view, rewound, isSame } = await rewinding(400);
  let lost = 0;
  daemon.onOpen = () => {
    if (++lost <= 2) throw Object.assign(new Error("socket closed"), { name: "TRPCClientError" });
  };
  daemon.append(rewound);
  await vi.waitFor(isSame);
  daemon.append(...third);
  isSame();
  expect(lost).toBe(3);
  view.close();
});

test("a subscription that the daemon refuses ends with the reason", async () => {
  const { daemon, api } = fakeStage();
  const errors: unknown[] = [];
  const following = followEvents(api, "s", 0, { onBatch: () => undefined, onError: (error) => errors.push(error) });
  await Promise.resolve();
  daemon.fail({ refusal: { code: "session_not_found", message: "There is no session s." } });
  expect(errors).toMatchObject([{ data: { refusal: { code: "session_not_found" } } }]);
  following.unsubscribe();
});
