import path from "node:path";
import type { Access } from "@baton/core/protocol/rule";
import type { Call, SessionState } from "@baton/core/session/state";
import type { EffectContext } from "../effect-context.ts";

/**
 * Whether an earlier call of the same reply is still to change a file that this one changes: what this one would do, and so
 * what an approval would show, is known only when that has ended.
 */
export function awaitsEarlierEdit(call: Call, state: SessionState, session: EffectContext): boolean {
  const own = filesOf(call, state, session);
  if (own.length === 0) return false;
  const earlier = state.calls.slice(
    0,
    state.calls.findIndex(({ id }) => id === call.id),
  );
  return earlier.some((each) => each.phase !== "done" && !each.outside && filesOf(each, state, session).some((file) => own.includes(file)));
}

/** The files that a call changes, as it names them and as far as gates have seen. */
function filesOf({ tool: name, input, verdict, request }: Call, state: SessionState, { services }: EffectContext): string[] {
  const tool = services.tools.of(state).get(name);
  const parsed = tool?.input.safeParse(input);
  const named: readonly Access[] = tool && parsed?.success ? tool.access(parsed.data) : [];
  const seen: readonly Access[] = verdict?.accesses ?? request?.verdicts ?? [];
  const edits = [...named, ...seen].filter(({ action }) => action === "edit");
  return edits.map(({ resource }) => path.resolve(state.workspace, resource));
}
