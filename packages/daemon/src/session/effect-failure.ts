import type { SessionEvent } from "@baton/core/protocol/event";
import type { Effect } from "@baton/core/session/next-effects";
import type { SessionState } from "@baton/core/session/state";

/** What ends after a defect of ours in an effect: its call, where another agent waits for that, else the turn. Undefined for what goes on beside a turn. */
export function effectFailure(effect: Effect, error: unknown, { turn }: SessionState): SessionEvent | undefined {
  const message = `Baton itself failed: ${error instanceof Error ? error.message : String(error)}. \`baton daemon logs\` has more.`;
  if (BESIDE.has(effect.do)) return undefined;
  if (effect.do === "runTool" && effect.call.outside)
    return { type: "tool.finished", callId: effect.call.id, result: { outcome: "unknown", text: message } };
  return turn && { type: "turn.ended", reason: "failed", message };
}

const BESIDE: ReadonlySet<Effect["do"]> = new Set(["awaitChild", "restoreFiles", "settleTrust", "settleServer"]);
