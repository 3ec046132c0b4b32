import type { ToolResult } from "../src/protocol/tool-call.ts";
import type { EventOf, LoggedEvent, SessionEvent } from "../src/protocol/event.ts";
import type { CallId, PromptId, RequestId } from "../src/protocol/ids.ts";
import type { Verdict } from "../src/protocol/rule.ts";
import { reduceSession } from "../src/session/reduce.ts";
import { emptyState, type SessionState } from "../src/session/state.ts";
import type { Transcript } from "../src/session/transcript/transcript.ts";
import { transcriptOf } from "../src/session/transcript/build-transcript.ts";

const me = { person: "test" };
const usage = { input: 10, cachedInput: 0, output: 5, cost: 0 };
export const allowed: Verdict = { effect: "allow", rule: null, accesses: [], why: "test" };
export const fine: ToolResult = { outcome: "ok", text: "done" };

/** Events as in the log, one second apart. */
export const logged = (events: readonly SessionEvent[]): LoggedEvent[] =>
  events.map((event, i) => ({ ...event, seq: i + 1, at: (i + 1) * 1_000 }));

export const stateAfter = (...events: SessionEvent[]): SessionState => logged([created, ...events]).reduce(reduceSession, emptyState);

export function drawn(...events: SessionEvent[]): Transcript {
  const transcript = transcriptOf(logged([created, ...events]));
  return transcript;
}

export const created: SessionEvent = { type: "session.created", workspace: "/w", mode: "code", stepLimit: 3, by: me };
export const prompted = (text: string, delivery: "queue" | "steer" = "queue"): SessionEvent => ({
  type: "prompt.received",
  promptId: text as PromptId,
  text,
  delivery,
  mode: "code",
  by: me,
});
export const delivered = (...texts: string[]): SessionEvent => ({ type: "prompt.delivered", promptIds: texts as PromptId[] });
export const started = (step: number, attempt = 1): SessionEvent => ({
  type: "model.started",
  step,
  attempt,
  mode: "code",
  model: "test/m",
  tools: "",
});
export const replied = (step: number, text: string, ...tools: string[]): EventOf<"model.replied"> => ({
  type: "model.replied",
  step,
  text,
  calls: tools.map((tool, i) => ({
    id: `s${step}.${i + 1}` as CallId,
    tool,
    input: {},
    providerId: `p${i}`,
    label: { verb: tool, object: "" },
  })),
  usage,
  finish: "stop",
  tookMs: 1,
});
export const failed = (step: number, retryAt?: number): SessionEvent => ({
  type: "model.failed",
  step,
  code: "overloaded",
  message: "busy",
  ...(retryAt === undefined ? {} : { retryAt }),
});
export const allow = (callId: string, writes = true): SessionEvent => ({
  type: "tool.allowed",
  callId: callId as CallId,
  verdict: allowed,
  writes,
});
export const begun = (callId: string): SessionEvent => ({ type: "tool.started", callId: callId as CallId });
export const finished = (callId: string, result: ToolResult = fine): SessionEvent => ({
  type: "tool.finished",
  callId: callId as CallId,
  result,
});
export const opened = (callId: string): EventOf<"request.opened"> => ({
  type: "request.opened",
  request: {
    id: `w-${callId}` as RequestId,
    kind: "approval",
    subject: { call: callId as CallId },
    header: "Run this command?",
    text: "run x",
    choices: [
      { id: "once", label: "Allow once" },
      { id: "deny", label: "Deny" },
    ],
    freeText: false,
    hash: "h",
    openedAt: 1,
  },
});
export const answered = (callId: string, choice: string): SessionEvent => ({
  type: "request.answered",
  requestId: `w-${callId}` as RequestId,
  answer: { choice },
  by: me,
});
export const ended = (reason: EventOf<"turn.ended">["reason"]): SessionEvent => ({ type: "turn.ended", reason });

/** A turn up to the reply of its first step. */
export const asked = (...tools: string[]): SessionEvent[] => [prompted("hi"), delivered("hi"), started(1), replied(1, "", ...tools)];
