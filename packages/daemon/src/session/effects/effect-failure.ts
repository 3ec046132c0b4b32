import type { SessionEvent } from "@baton/core/protocol/event";
import type { SessionEffect } from "@baton/core/session/next-effects";
import type { SessionState } from "@baton/core/session/state";

/**
 * The event that ends the work after an internal error in an effect: the call if another agent waits for it, otherwise the
 * turn. Undefined for work that is independent of turns.
 */
export function effectFailure(effect: SessionEffect, error: unknown, { turn }: SessionState): SessionEvent | undefined {
  const message = `Baton failed internally: ${error instanceof Error ? error.message : String(error)}. \`baton daemon logs\` has details.`;
  if (BESIDE.has(effect.do)) return undefined;
  if (effect.do === "readDiagnostics") return { type: "diagnostics.reported", step: effect.step, calls: [] }; // an edit never fails because of them
  if (effect.do === "runHook")
    return { type: "hook.finished", runId: effect.run.id, outcome: { status: "failed", problem: message, tookMs: 0 } };
  if (effect.do === "runTool" && effect.call.outside)
    return { type: "tool.finished", callId: effect.call.id, result: { outcome: "unknown", text: message } };
  return turn && { type: "turn.ended", reason: "failed", message };
}

const BESIDE: ReadonlySet<SessionEffect["do"]> = new Set(["awaitChild", "restoreFiles", "settleTrust", "settleServer"]);
