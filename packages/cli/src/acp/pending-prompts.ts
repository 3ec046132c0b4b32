import { RequestError, type PromptResponse, type StopReason } from "@agentclientprotocol/sdk";
import type { LoggedEvent } from "@baton/core/protocol/event";
import { collectTurn, type TurnResult } from "../run/turn-collector.ts";

type PendingPrompt = { turn: ReturnType<typeof collectTurn>; end: (stop: StopReason) => void; fail: (error: Error) => void };

/** The prompts of one client whose turns have not ended. */
export function pendingPrompts(sessionId: string) {
  const waiting = new Map<string, PendingPrompt>();
  let cancelled = false;

  const wait = (promptId: string, turn = collectTurn(sessionId, promptId)) =>
    new Promise<PromptResponse>((end, fail) => {
      cancelled = false;
      waiting.set(promptId, { turn, end: (stopReason) => end({ stopReason }), fail });
    });

  return {
    /**
     * Resolves when the turn of this prompt has ended; a missing model resolves it as a refusal. Rejects when the model
     * fails.
     */
    wait: (promptId: string) => wait(promptId),
    /** Stops waiting without stopping the turn: the user is about to type the answer that the turn waits for. */
    pause() {
      for (const { end } of waiting.values()) end("end_turn");
    },
    /** Waits again for a turn that was paused. */
    again(): Promise<PromptResponse> {
      const [promptId, paused] = [...waiting].at(-1) ?? [];
      return promptId === undefined || paused === undefined ? Promise.resolve({ stopReason: "end_turn" }) : wait(promptId, paused.turn);
    },
    take(events: readonly LoggedEvent[]) {
      for (const [promptId, { turn, end, fail }] of waiting) {
        turn.take(events, []);
        if (!turn.over()) continue;
        waiting.delete(promptId);
        const { status, message, fault } = turn.result();
        if (fault === "no_model" && !cancelled) end("refusal");
        else if (status === "failed" && !cancelled) fail(new RequestError(-32_603, message ?? "The request to the model failed."));
        else end(cancelled ? "cancelled" : STOPS[status]);
      }
    },
    /** Turns that end from now on count as cancelled. */
    cancel: () => void (cancelled = waiting.size > 0),
    drop: (promptId: string) => void waiting.delete(promptId),
    fail(message: string) {
      for (const { fail } of waiting.values()) fail(new RequestError(-32_603, message));
      waiting.clear();
    },
  };
}

/** The protocol's stop reason for each way a turn can end. */
const STOPS: Readonly<Record<TurnResult["status"], StopReason>> = {
  completed: "end_turn",
  blocked: "end_turn",
  denied: "end_turn",
  waiting: "end_turn",
  failed: "end_turn",
  limit: "max_turn_requests",
  stopped: "cancelled",
};
