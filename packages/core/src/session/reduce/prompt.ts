import { omitUndefined } from "../../text/omit-undefined.ts";
import type { EventOf, LoggedEvent } from "../../protocol/event.ts";
import { imageCharacters } from "../context/context-budget.ts";
import { newTurn, type SessionState, type Turn } from "../state.ts";
import { withoutRequests } from "./update-state.ts";
import { withoutHooks } from "./hook.ts";

/** Puts a prompt into the queue. The first one gives the session its title. */
export function reducePromptReceived(state: SessionState, event: LoggedEvent<EventOf<"prompt.received">>): SessionState {
  const { promptId, text, slash, delivery, mode, switchTo, model, images, synthetic, by } = event;
  const prompt = {
    promptId,
    text,
    delivery,
    mode,
    by,
    ...omitUndefined({ model, switchTo, synthetic, images }),
  };
  return {
    ...state,
    title: state.title || (synthetic === undefined ? defaultTitle(slash ?? text) : ""),
    held: synthetic === undefined ? false : state.held,
    queue: [...state.queue, prompt],
  };
}

/** Moves prompts from the queue into the conversation, which starts a turn or continues one. */
export function reducePromptsDelivered(state: SessionState, event: LoggedEvent<EventOf<"prompt.delivered">>): SessionState {
  const ids = new Set(event.promptIds);
  const promptModel = state.queue.findLast((prompt) => ids.has(prompt.promptId) && prompt.model)?.model ?? state.promptModel;
  const namedModel = state.queue.findLast(({ promptId, model, synthetic }) => ids.has(promptId) && model && synthetic === undefined)?.model;
  const queue = state.queue.filter((prompt) => !ids.has(prompt.promptId));
  const n = state.turns + (state.turn ? 0 : 1);
  const { timeMs, output } = state.limits;
  const turn: Turn = state.turn
    ? {
        ...(state.turn.answer ? withoutRequests(state.turn) : state.turn),
        denied: false,
        ending: undefined,
        why: undefined,
        model: namedModel ?? state.turn.model,
      }
    : {
        ...newTurn,
        n,
        model: namedModel,
        budget: state.stepLimit,
        startedAt: event.at,
        costBefore: state.usage.cost,
        timeBudgetMs: timeMs,
        outputBudget: output,
      };
  const characters = state.queue.reduce(
    (sum, { promptId, text, images }) => sum + (ids.has(promptId) ? text.length + imageCharacters(images) : 0),
    0,
  );
  return {
    ...withoutHooks(state, ["UserPromptSubmit", "SessionStart"]),
    recent: [],
    since: state.since + characters,
    queue,
    turn,
    turns: n,
    promptModel,
  };
}

/** The title of a session without a name: the first line of its first prompt, with at most 60 characters. */
function defaultTitle(text: string): string {
  const line = text.trim().split("\n", 1)[0] ?? "";
  return line.length > 60 ? `${line.slice(0, 59).trimEnd()}…` : line;
}
