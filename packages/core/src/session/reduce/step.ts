import type { EventOf } from "../../protocol/event.ts";
import { imageBytes, refusalCause } from "../context/context-budget.ts";
import { newStep, type Call, type SessionState, type ModelStep, type Turn } from "../state.ts";
import { addUsage } from "../usage/add-usage.ts";
import { withTurn } from "./update-state.ts";
import { withoutHooks } from "./hook.ts";

/** After the conversation has shrunk, a step that was refused for its size is asked again. */
export function reduceContextShrunk(state: SessionState, { after, at }: { after: number; at: number }): SessionState {
  const { step } = state;
  const again = step !== undefined && refusalCause(step) !== undefined;
  return {
    ...state,
    step: again ? { ...step, phase: "due", retryAt: at } : step,
    contextTokens: after,
    since: 0,
    pictures: 0,
    compactions: state.compactions + 1,
  };
}

/** The model is asked, for the first time in this step or again. */
export function reduceModelStarted(
  state: SessionState,
  { step: n, attempt, mode, model, tools, mostSteps, room }: EventOf<"model.started">,
): SessionState {
  const first = state.step?.n !== n;
  const next: SessionState = {
    ...withoutHooks(state, ["PreToolUse", "PermissionRequest", "PostToolUse", "PostToolUseFailure"]),
    step: { ...newStep, n, phase: "running", attempt, mode, model, tools, room, others: first ? undefined : state.step?.others },
    calls: [],
    pictures: state.pictures + state.calls.reduce((sum, { result }) => sum + imageBytes(result?.images), 0),
    counts: { ...state.counts, steps: state.counts.steps + (first ? 1 : 0) },
  };
  return first ? withTurn(next, (turn) => oneMoreStep(turn, mode, mostSteps)) : next;
}

function oneMoreStep(turn: Turn, mode: string, maxSteps: number | undefined): Turn {
  return { ...turn, steps: turn.steps + 1, inMode: maxSteps === undefined ? undefined : oneMoreInMode(turn, mode, maxSteps) };
}

const oneMoreInMode = ({ inMode }: Turn, mode: string, maxSteps: number): Turn["inMode"] =>
  inMode?.mode === mode ? { ...inMode, steps: inMode.steps + 1 } : { mode, steps: 1, budget: maxSteps, most: maxSteps };

/** Folds a reply of the model: its text, its calls and its usage. */
export function reduceModelReplied(state: SessionState, event: EventOf<"model.replied">): SessionState {
  if (state.step?.n !== event.step) return state;
  const calls = event.calls.map((call): Call => ({ ...call, phase: "requested", writes: true }));
  const next: SessionState = {
    ...state,
    step: { ...state.step, phase: "replied", calls: calls.length, spent: undefined },
    calls,
    usage: addUsage(state.usage, event.usage),
    ...sizeAfter(state, event),
  };
  return withTurn(next, (turn) => ({
    ...turn,
    workedMs: turn.workedMs + event.tookMs,
    said: event.text.trim() === "" ? turn.said : event.text,
    ...(calls.length > 0 ? {} : turnEnding(turn, event)),
  }));
}

/** Stores the usage of an unfinished reply. It counts only if the reply never ends properly. */
export const reduceModelKept = (state: SessionState, { step: n, usage }: EventOf<"model.kept">): SessionState =>
  state.step?.n === n && usage ? { ...state, step: { ...state.step, spent: usage } } : state;

/**
 * Counts the usage of a reply that broke off. The conversation has the size of the input, because little of the reply was kept.
 */
export function reduceModelSpent(state: SessionState, { step: n, usage }: EventOf<"model.spent">): SessionState {
  const next: SessionState = { ...state, usage: addUsage(state.usage, usage) };
  if (n === undefined || state.step?.n !== n) return next;
  return { ...next, step: { ...state.step, spent: undefined }, contextTokens: usage.input, since: 0 };
}

/** The size that the provider counted. If it counts nothing, Baton continues to count characters. */
function sizeAfter({ contextTokens, since }: SessionState, { usage, text, calls }: EventOf<"model.replied">) {
  if (usage.input > 0) return { contextTokens: usage.input + usage.output, since: 0 };
  return { contextTokens, since: since + text.length + JSON.stringify(calls.map(({ input, raw }) => input ?? raw)).length };
}

/** A reply without calls ends the turn. If the provider cut it, the turn says so. */
function turnEnding({ denied, said }: Turn, { finish, text, reasoning }: EventOf<"model.replied">): Pick<Turn, "ending" | "why"> {
  if (finish === "length")
    return { ending: "limit", why: "The answer reached the model's output limit and ends there. Tell the model how to continue." };
  if (finish === "content-filter")
    return { ending: "failed", why: "The provider's content filter stopped the answer. Rephrase the prompt, or choose another model." };
  if (text.trim() === "" && said === undefined)
    return {
      ending: "failed",
      why: `The model's reply was empty${reasoning?.trim() ? ": it only reasoned" : ""}. Ask again, or choose another model.`,
    };
  return { ending: denied ? "denied" : "completed" };
}

/** Folds a failed attempt. The model is asked again at `retryAt`, or has failed for good. */
export function reduceModelFailed(state: SessionState, event: EventOf<"model.failed">): SessionState {
  const { code, message, retryAt, fallback } = event;
  const neverStarted = state.step?.n !== event.step;
  const before: ModelStep = neverStarted || !state.step ? { ...newStep, n: event.step, mode: state.mode } : state.step;
  const step: ModelStep = {
    ...before,
    phase: retryAt === undefined ? "failed" : "due",
    retryAt,
    others: fallback === undefined ? before.others : before.attempt,
    failure: { code, message },
  };
  return withTurn({ ...state, step }, (turn) => ({
    ...turn,
    steps: turn.steps + (neverStarted ? 1 : 0),
    fallback: fallback ?? turn.fallback,
  }));
}
