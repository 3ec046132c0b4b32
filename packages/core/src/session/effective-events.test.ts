import { expect, test } from "vitest";
import { asked, created, ended, finished, logged, opened } from "../../test/session-events.ts";
import type { SessionEvent } from "../protocol/event.ts";
import type { CallId, RequestId, SessionId } from "../protocol/ids.ts";
import { foldEffective } from "./effective-events.ts";
import { nextEffects } from "./next-effects.ts";

const by = { person: "test" };
const trustId = "w-trust" as RequestId;
const rewound = (to: number): SessionEvent => ({ type: "session.rewound", to, step: 1, turn: 1, by });
const fold = (...events: SessionEvent[]) => foldEffective(logged([created, ...events]));

test("a rewind restores no grant that was revoked", () => {
  const rule = { action: "command", resource: "x", effect: "allow" } as const;
  const grant: SessionEvent = {
    type: "grant.given",
    grant: { id: "g", rule, scope: "session", mode: "code", givenAt: 1, requestId: "r" },
    by,
  };
  expect(fold(grant).grants).toHaveLength(1);
  expect(fold(grant, { type: "grant.revoked", grantId: "g", by }, rewound(2)).grants).toEqual([]);
});

test("a rewind does not wait again for a finished subtask, does not run a finished command again, and does not repeat an answered request", () => {
  const childId = "s.1" as SessionId;
  const beside: SessionEvent[] = [
    { type: "request.opened", request: { ...opened("x").request, id: trustId, subject: { workspace: "/w" } } },
    { type: "child.started", child: { childId, callId: "s1.1" as CallId } as never },
    { type: "process.started", processId: "p1", command: "serve" } as SessionEvent,
  ];
  const later: SessionEvent[] = [
    ...asked("a"),
    finished("s1.1"),
    ended("completed"),
    { type: "request.answered", requestId: trustId, answer: { choice: "trust" }, by },
    { type: "trust.settled", trusted: true },
    { type: "child.ended", childId, outcome: "completed" } as never,
    { type: "process.ended", processId: "p1", code: 0 } as never,
  ];
  const state = fold(...beside, ...later, rewound(4));
  expect({ ...state, next: nextEffects(state) }).toMatchObject({ children: [], processes: [], trust: undefined, next: [] });
});
