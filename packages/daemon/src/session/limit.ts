import type { SessionEvent } from "@baton/core/protocol/event";
import { requestIdOf } from "@baton/core/protocol/ids";
import type { EffectOf } from "@baton/core/session/next";
import type { SessionState, Turn } from "@baton/core/session/state";
import type { Loop } from "./loop.ts";

/** Reaching the limit of steps is a request, not an end. */
export function askLimit(turn: Turn, session: Loop): SessionEvent {
  return {
    type: "request.opened",
    request: {
      id: requestIdOf(session.id, `t${turn.n}.${turn.budget}`),
      kind: "approval",
      subject: { turn: turn.n },
      header: "Go on?",
      text: `This turn has taken ${turn.steps} steps, which is its limit.`,
      folder: session.state.workspace,
      choices: [
        { id: "continue", label: "Go on", description: `For up to ${session.state.stepLimit} more steps.` },
        { id: "stop", label: "Stop here" },
      ],
      freeText: false,
      openedAt: session.parts.clock.now(),
    },
  };
}

/** What the answer to it means. */
export function concludeLimit({ turn, answer }: EffectOf<"concludeTurn">, state: SessionState): SessionEvent {
  if (answer.choice === "continue") return { type: "limit.raised", turn: turn.n, steps: state.stepLimit };
  return { type: "turn.ended", reason: "limit", message: `Stopped after ${turn.steps} steps, the limit of this turn.` };
}
