import type { SessionEvent } from "@baton/core/protocol/event";
import { refuse } from "@baton/core/protocol/refusal";
import { reduce } from "@baton/core/session/reduce";
import type { Call, SessionState } from "@baton/core/session/state";
import { checkCall, checkIn, denyCall } from "./judge-call.ts";
import type { EffectContext } from "../effect-context.ts";
import { planPath } from "../plan-path.ts";
import { withdrawRequest } from "../coordination/mode-change-events.ts";

/** A person's change of mode, with the ends of the open calls that the new mode does not allow. */
export function closeDisallowedCalls(events: readonly SessionEvent[], before: SessionState, session: EffectContext): SessionEvent[] {
  if (!events.some(({ type }) => type === "mode.changed")) return [...events];
  const after = events.reduce((state, event) => reduce(state, { ...event, seq: 0, at: session.services.clock.now() }), before);
  const meant = after.step ? { ...after, step: { ...after.step, mode: after.mode } } : after;
  const closed = after.calls.flatMap((call): SessionEvent[] => {
    if (call.phase === "running" || call.phase === "done") return [];
    const checked = checkIn(call, meant, session);
    const result = "result" in checked ? checked.result : checked.verdict.effect === "deny" ? denyCall(checked.verdict) : undefined;
    return result ? [...withdrawRequest(call), { type: "tool.finished", callId: call.id, result }] : [];
  });
  return [...events.map((event) => withLimits(event, meant, session)), ...closed];
}

/** Refuses a person's switch to a mode whose file paths leave out the file that they have open. */
export function findRefusedFile(
  { mode: slug, file }: { mode: string; file?: string | undefined },
  state: SessionState,
  { services }: EffectContext,
) {
  const mode = services.modes(state.workspace).get(slug);
  if (file === undefined || !mode || !(mode.allowedFilePaths ?? mode.disallowedFilePaths)) return undefined;
  const checked = checkCall({ tool: "read_file", input: { path: file } }, { ...state, mode: slug, step: undefined }, services);
  if (!("verdict" in checked) || checked.verdict.effect !== "deny") return undefined;
  return refuse("mode_invalid", `${mode.name} may not have ${file}, which is open in the editor. Open another file, then switch.`);
}

/** Says of the file that the person is looking at that the new mode cannot change it. */
function withLimits(event: SessionEvent, state: SessionState, { id, services }: EffectContext): SessionEvent {
  if (event.type !== "mode.changed" || event.file === undefined) return event;
  const edit: Pick<Call, "tool" | "input"> = { tool: "write_file", input: { path: event.file, content: "" } };
  const checked = checkCall(edit, state, services, planPath(id));
  const fits = "verdict" in checked && checked.verdict.effect !== "deny";
  return fits ? event : { ...event, reason: `${event.file} is open in the editor; ${event.to} cannot change it` };
}
