import type { SessionEvent } from "@baton/core/protocol/event";
import { refuse } from "@baton/core/protocol/refusal";
import { reduceSession } from "@baton/core/session/reduce";
import type { Call, SessionState } from "@baton/core/session/state";
import { checkCall, checkSessionCall, deniedResult } from "./judge-call.ts";
import type { EffectContext } from "../../effects/effect-context.ts";
import { withdrawRequest } from "../../coordination/mode-change-events.ts";

/** Adds to a mode change by the user the ends of open calls that the new mode does not allow. */
export function closeDisallowedCalls(events: readonly SessionEvent[], before: SessionState, session: EffectContext): SessionEvent[] {
  if (!events.some(({ type }) => type === "mode.changed")) return [...events];
  const after = events.reduce((state, event) => reduceSession(state, { ...event, seq: 0, at: session.services.clock.now() }), before);
  const meant = after.step ? { ...after, step: { ...after.step, mode: after.mode } } : after;
  const closed = after.calls.flatMap((call): SessionEvent[] => {
    if (call.phase === "running" || call.phase === "done") return [];
    const checked = checkSessionCall(call, meant, session);
    const result = "result" in checked ? checked.result : checked.verdict.effect === "deny" ? deniedResult(checked.verdict) : undefined;
    return result ? [...withdrawRequest(call), { type: "tool.finished", callId: call.id, result }] : [];
  });
  return [...events.map((event) => withLimits(event, meant, session)), ...closed];
}

/** Refuses a switch to a mode that may not access the file which the user has open in the editor. */
export function findRefusedFile(
  { mode: slug, file }: { mode: string; file?: string | undefined },
  state: SessionState,
  { services }: EffectContext,
) {
  const mode = services.modes(state.workspace).get(slug);
  if (file === undefined || !mode || !(mode.allowedFilePaths ?? mode.disallowedFilePaths)) return undefined;
  const checked = checkCall({ tool: "read_file", input: { path: file } }, { ...state, mode: slug, step: undefined }, services);
  if (!("verdict" in checked) || checked.verdict.effect !== "deny") return undefined;
  return refuse("mode_invalid", `${mode.name} may not access ${file}, which is open in the editor. Open another file, then switch.`);
}

/** Notes in the event that the new mode cannot change the file which the user has open. */
function withLimits(event: SessionEvent, state: SessionState, { id, services }: EffectContext): SessionEvent {
  if (event.type !== "mode.changed" || event.file === undefined) return event;
  const edit: Pick<Call, "tool" | "input"> = { tool: "write_file", input: { path: event.file, content: "" } };
  const checked = checkCall(edit, state, services, id);
  const fits = "verdict" in checked && checked.verdict.effect !== "deny";
  return fits ? event : { ...event, reason: `${event.file} is open in the editor; ${event.to} cannot change it` };
}
