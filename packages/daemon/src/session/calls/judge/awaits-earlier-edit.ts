import path from "node:path";
import type { Access } from "@baton/core/protocol/rule";
import type { Call, SessionState } from "@baton/core/session/state";
import type { EffectContext } from "../../effects/effect-context.ts";

/**
 * Whether an earlier call of the same reply will change a file that this call changes. Then the approval cannot show this
 * call's change before the earlier call has ended.
 */
export function awaitsEarlierEdit(call: Call, state: SessionState, session: EffectContext): boolean {
  const own = changedFilesOfCall(call, state, session);
  if (own.length === 0) return false;
  const earlier = state.calls.slice(
    0,
    state.calls.findIndex(({ id }) => id === call.id),
  );
  return earlier.some(
    (each) => each.phase !== "done" && !each.outside && changedFilesOfCall(each, state, session).some((file) => own.includes(file)),
  );
}

/** The files that a call changes: those that it names, and those that the gates found. */
function changedFilesOfCall({ tool: name, input, verdict, request }: Call, state: SessionState, { services }: EffectContext): string[] {
  const tool = services.tools.of(state).get(name);
  const parsed = tool?.input.safeParse(input);
  const declared: readonly Access[] = tool && parsed?.success ? tool.access(parsed.data) : [];
  const judged: readonly Access[] = verdict?.accesses ?? request?.verdicts ?? [];
  const edits = [...declared, ...judged].filter(({ action }) => action === "edit");
  return edits.map(({ resource }) => path.resolve(state.workspace, resource));
}
