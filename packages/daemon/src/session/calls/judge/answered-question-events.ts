import type { SessionEvent } from "@baton/core/protocol/event";
import type { PromptId } from "@baton/core/protocol/ids";
import type { Actor } from "@baton/core/protocol/request";
import type { Call, SessionState } from "@baton/core/session/state";
import type { QuestionResult } from "../../../tool/tool-types.ts";
import type { EffectContext } from "../../effects/effect-context.ts";
import { modeChangeEvents } from "../../coordination/mode-change-events.ts";

/** The events that follow from an answered question: the call's result, and a mode change if there is one. */
export function answeredQuestionEvents(
  call: Call,
  { events = [], transition: modeRequest, grants = [], ...result }: QuestionResult,
  by: Actor,
  state: SessionState,
  session: EffectContext,
): SessionEvent[] {
  const finished: SessionEvent = { type: "tool.finished", callId: call.id, result };
  if (!modeRequest) return [...events, finished];
  const now = session.services.clock.now();
  const prompt = { id: `mode-${call.id}` as PromptId, text: modeRequest.prompt };
  const grantEvents = grants.map((rule, i): SessionEvent => ({
    type: "grant.given",
    grant: {
      id: `g-${session.id}-${call.id}.${i}`,
      rule,
      scope: "session",
      mode: modeRequest.to,
      givenAt: now,
      requestId: call.request?.id ?? "",
    },
    by,
  }));
  return [
    ...events,
    finished,
    ...modeChangeEvents({ ...modeRequest, by, requestId: call.request?.id, prompt }, state, call.id, now),
    ...grantEvents,
  ];
}
