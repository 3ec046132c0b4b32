import type { SessionEvent } from "@baton/core/protocol/event";
import { reduce } from "@baton/core/session/reduce";
import type { SessionState } from "@baton/core/session/state";
import { checkIn, denied } from "./judge-call.ts";
import type { Loop } from "./loop.ts";
import { withdrawn } from "./transit.ts";

/** A person's change of mode, with the ends of the open calls that the new mode does not allow. */
export function narrowed(events: readonly SessionEvent[], before: SessionState, session: Loop): SessionEvent[] {
  if (!events.some(({ type }) => type === "mode.changed")) return [...events];
  const after = events.reduce((state, event) => reduce(state, { ...event, seq: 0, at: session.parts.clock.now() }), before);
  const meant = after.step ? { ...after, step: { ...after.step, mode: after.mode } } : after;
  const closed = after.calls.flatMap((call): SessionEvent[] => {
    if (call.phase === "running" || call.phase === "done") return [];
    const checked = checkIn(call, meant, session);
    const result = "result" in checked ? checked.result : checked.verdict.effect === "deny" ? denied(checked.verdict) : undefined;
    return result ? [...withdrawn(call), { type: "tool.finished", callId: call.id, result }] : [];
  });
  return [...events, ...closed];
}
