import { asSentence } from "@baton/core/text/format";
import type { SessionEvent } from "@baton/core/protocol/event";
import type { PromptId } from "@baton/core/protocol/ids";
import type { Verdict } from "@baton/core/protocol/rule";
import { hookTitle } from "@baton/core/session/hook-report";
import type { SessionEffectOf } from "@baton/core/session/next-effects";
import type { Call, HookRunState, SessionState } from "@baton/core/session/state";
import type { HookSubject } from "../../hook/match-hook.ts";
import type { EffectContext } from "../effects/effect-context.ts";
import { hookModes } from "../mode-of-step.ts";
import { askAboutHooks } from "./hook-requests.ts";
import { hookStartEvents, type HookOccasion } from "./hook-start-events.ts";

/** How often hooks may continue a turn that would end. */
const MAX_CONTINUATIONS = 5;

/**
 * The events of the hooks that must end before something happens: their starts, or questions about them. Nothing while they run. Undefined
 * once they have ended, or if there are none.
 */
function hooksBeforeEvent(
  occasion: HookOccasion,
  subject: HookSubject,
  state: SessionState,
  session: EffectContext,
  modes = hookModes(state),
): SessionEvent[] | undefined {
  const runs = runsFor(occasion, state);
  if (runs.length > 0) return runs.every(({ outcome, async }) => async || outcome) ? undefined : [];
  const found = session.services.hooks.find(state.workspace, occasion.event, subject, modes);
  if (found.questions.length > 0) return askAboutHooks(found.questions, state, session);
  const started = hookStartEvents(found, occasion, state);
  return started.length === 0 ? undefined : started;
}

/** The runs of an occasion. Asynchronous ones count as well, so that they start once. */
const runsFor = ({ event, about }: HookOccasion, { hooks }: SessionState): HookRunState[] =>
  hooks.filter((run) => run.event === event && run.about === about);

/** Runs `PreToolUse` before a call that rules do not deny. */
export const hooksBeforeCall = (
  call: Call,
  { accesses }: Verdict,
  state: SessionState,
  session: EffectContext,
): SessionEvent[] | undefined =>
  hooksBeforeEvent({ event: "PreToolUse", about: call.id, holds: `judge ${call.id}` }, { tool: call.tool, accesses }, state, session);

/** Runs `PermissionRequest` before the user is asked about a call. */
export const hooksBeforeRequest = (
  call: Call,
  { accesses }: Verdict,
  state: SessionState,
  session: EffectContext,
): SessionEvent[] | undefined =>
  hooksBeforeEvent(
    { event: "PermissionRequest", about: call.id, holds: `judge ${call.id}` },
    { tool: call.tool, accesses },
    state,
    session,
  );

/** Runs `PreCompact`. Questions about its hooks hold nothing up, because a conversation that is too long must be compacted. */
export function hooksBeforeCompaction(
  { key, reason }: SessionEffectOf<"compact">,
  state: SessionState,
  session: EffectContext,
): SessionEvent[] {
  const trigger = reason === "asked" ? "manual" : "auto";
  const occasion: HookOccasion = { event: "PreCompact", about: `compaction ${state.compactions}`, holds: key, details: { trigger } };
  if (runsFor(occasion, state).length > 0) return [];
  const found = session.services.hooks.find(state.workspace, "PreCompact", { value: trigger }, hookModes(state));
  return [...askAboutHooks(found.questions, state, session), ...hookStartEvents(found, occasion, state)];
}

/** Runs `SessionStart` before the first prompt, and `UserPromptSubmit` before each prompt of the user. A refused prompt is withdrawn. */
export function hooksBeforePrompts(
  { key, promptIds }: SessionEffectOf<"deliver">,
  state: SessionState,
  session: EffectContext,
): SessionEvent[] | undefined {
  const prompts = state.queue.filter(({ promptId, synthetic }) => promptIds.includes(promptId) && synthetic === undefined);
  const [first] = prompts;
  if (!first) return undefined;
  const modes = [...hookModes(state), ...prompts.flatMap(({ switchTo }) => switchTo ?? [])];
  if (state.turns === 0) {
    const occasion: HookOccasion = { event: "SessionStart", about: first.promptId, holds: key, details: { source: "startup" } };
    const starting = hooksBeforeEvent(occasion, { value: "startup" }, state, session, modes);
    if (starting) return starting;
  }
  const waiting = prompts.map(({ promptId, text }) =>
    hooksBeforeEvent(
      { event: "UserPromptSubmit", about: promptId, holds: key, details: { prompt: text } },
      { value: "" },
      state,
      session,
      modes,
    ),
  );
  if (waiting.some((events) => events !== undefined)) return waiting.flatMap((events) => events ?? []);
  const refused = prompts.flatMap(({ promptId, text }) => {
    const run = refusingRun(promptId, state);
    return run ? [{ promptId, text, run }] : [];
  });
  return refused.length === 0 ? undefined : refusePrompts(refused, state);
}

/** A failure counts as a refusal only if the hook says so. */
const refusingRun = (promptId: PromptId, { hooks }: SessionState): HookRunState | undefined =>
  hooks.find(({ about, event, outcome, hook, async }) => {
    if (async || about !== promptId || (event !== "UserPromptSubmit" && event !== "SessionStart") || !outcome) return false;
    if (outcome.decision === "deny" || outcome.stop) return true;
    return (outcome.status === "failed" || outcome.status === "unknown") && hook.onFailure === "block";
  });

type RefusedPrompt = { promptId: PromptId; text: string; run: HookRunState };

function refusePrompts(refused: readonly RefusedPrompt[], { turn }: SessionState): SessionEvent[] {
  const [first] = refused;
  const message = refused
    .map(
      ({ run, text }) =>
        `${hookTitle(run)} refused the prompt${run.outcome?.reason === undefined ? "." : `: ${asSentence(run.outcome.reason)}`} The prompt was: ${text}`,
    )
    .join("\n");
  return [
    ...refused.map(({ promptId }): SessionEvent => ({
      type: "prompt.withdrawn",
      promptId,
      ...(turn && promptId === first?.promptId ? { reason: message } : {}),
    })),
    ...(turn ? [] : [{ type: "turn.ended" as const, reason: "denied" as const, message }]),
  ];
}

/** Runs `Stop` or, in a subtask, `SubagentStop` before a turn is completed. A hook that blocks continues the turn with its reason. */
export function hooksBeforeEnd(
  { key, reason }: SessionEffectOf<"endTurn">,
  state: SessionState,
  session: EffectContext,
): SessionEvent[] | undefined {
  const { turn, parent, hooks } = state;
  if (reason !== "completed" || !turn) return undefined;
  const event = parent ? "SubagentStop" : "Stop";
  const continued = hooks.filter((run) => run.event === event && !run.async && run.outcome?.decision === "deny");
  const rounds = new Set(continued.map(({ about }) => about));
  const about = `${turn.n}.${turn.steps}`;
  if (!rounds.has(about) && rounds.size >= MAX_CONTINUATIONS) return undefined;
  const details = { stop_hook_active: rounds.size > 0 };
  const waiting = hooksBeforeEvent({ event, about, holds: key, details }, { value: state.mode }, state, session);
  if (waiting) return waiting;
  const blocking = continued.filter((run) => run.about === about && !run.outcome?.stop);
  if (blocking.length === 0) return undefined;
  const reasons = blocking.map((run) => `${hookTitle(run)} continues the turn: ${run.outcome?.reason ?? "it gave no reason."}`);
  const last = rounds.size < MAX_CONTINUATIONS ? [] : ["Hooks have now continued this turn five times, so the next answer ends it."];
  const text = [...reasons, ...last].join("\n");
  return [
    {
      type: "prompt.received",
      promptId: `hook-${event}-${about}` as PromptId,
      text,
      delivery: "steer",
      mode: state.mode,
      synthetic: "hook",
      by: { daemon: true },
    },
  ];
}
