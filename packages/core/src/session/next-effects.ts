import { omitUndefined } from "../text/omit-undefined.ts";
import { isCoordinationOver } from "./leave-coordinator-mode.ts";
import type { DelegatedTask, TurnEndReason } from "../protocol/event.ts";
import type { CallId, PromptId } from "../protocol/ids.ts";
import type { Actor, RequestAnswer, Request } from "../protocol/request.ts";
import { reachedLimit, type OwnLimit } from "./usage/session-limits.ts";
import { compactionReason, type CompactionReason } from "./context/context-budget.ts";
import { isAfterCall, type HookRun } from "../protocol/hook.ts";
import type { Call, SessionState, Turn } from "./state.ts";

/**
 * Something that should be running now. `key` names the thing, not the moment: an effect with a running key is not started
 * twice, and a report under a key that is no longer wanted is dropped.
 */
export type SessionEffect = { key: string } & (
  | { do: "deliver"; promptIds: PromptId[] }
  | { do: "startModel"; step: number; attempt: number }
  | { do: "awaitRetry"; step: number; attempt: number; until: number }
  | { do: "callModel"; step: number; attempt: number }
  | { do: "judge"; call: Call }
  | { do: "conclude"; call: Call }
  | { do: "startTool"; callId: CallId }
  | { do: "runTool"; call: Call }
  | { do: "readDiagnostics"; step: number }
  | { do: "awaitChild"; child: DelegatedTask }
  | { do: "runHook"; run: HookRun }
  | { do: "restoreFiles"; undo: NonNullable<SessionState["undo"]> }
  | { do: "settleTrust"; answer: RequestAnswer; by: Actor }
  | { do: "compact"; reason: CompactionReason; note?: string }
  | { do: "settleServer"; request: Request; answer: RequestAnswer; by: Actor }
  | { do: "askLimit"; turn: Turn; what: OwnLimit }
  | { do: "concludeTurn"; turn: Turn; answer: RequestAnswer }
  | { do: "endTurn"; reason: TurnEndReason; message?: string }
  | { do: "endCoordination" }
);
export type SessionEffectOf<D extends SessionEffect["do"]> = Extract<SessionEffect, { do: D }>;

/**
 * Lists what should be running now. It reads the whole state and never the last event, so a daemon that has just started asks
 * the same question and continues.
 */
export function nextEffects(state: SessionState): readonly SessionEffect[] {
  const cached = cache.get(state);
  if (cached) return cached;
  const running = state.hooks.filter(({ outcome }) => !outcome);
  const held = new Set(running.map(({ holds }) => holds));
  const wanted = [...effectsBesideTurn(state), ...effectsOfTurn(state)].filter(({ key }) => !held.has(key));
  const effects = [...wanted, ...running.map(runHook)];
  cache.set(state, effects);
  return effects;
}

/** States never change, and each is asked several times before it is in the log. */
const cache = new WeakMap<SessionState, readonly SessionEffect[]>();

const runHook = (run: HookRun): SessionEffect => ({ do: "runHook", key: `hook ${run.id}`, run });

/** Effects that are independent of turns. */
function effectsBesideTurn({ calls, children, trust, servers, undo }: SessionState): SessionEffect[] {
  const awaited = children.map((child): SessionEffect => ({ do: "awaitChild", key: `child ${child.childId}`, child }));
  for (const { request, answer, answeredBy: by } of servers)
    if (answer) awaited.push({ do: "settleServer", key: `server ${request.id}`, request, answer, by: by ?? { daemon: true } });
  for (const call of calls) if (call.outside) awaited.push(...forCall(call, [call]));
  if (undo) awaited.push({ do: "restoreFiles", key: `undo ${undo.since}`, undo });
  if (!trust?.answer) return awaited;
  return [
    ...awaited,
    { do: "settleTrust", key: `trust ${trust.request.id}`, answer: trust.answer, by: trust.answeredBy ?? { daemon: true } },
  ];
}

function effectsOfTurn(state: SessionState): SessionEffect[] {
  const { turn, step } = state;
  if (state.undo) return []; // nothing is read or changed while an undo restores files
  if (isCoordinationOver(state)) return [{ do: "endCoordination", key: `end coordination ${state.modeSince}` }];
  const reason = compactionReason(state);
  if (!turn && reason) return compact(state, reason);
  if (!turn) return deliver(state.held ? [] : state.queue.slice(0, 1).map((prompt) => prompt.promptId));
  const steering = state.queue.filter((prompt) => prompt.delivery === "steer").map((prompt) => prompt.promptId);
  const what = reachedLimit(state);
  if (step === undefined || turn.steps === 0) {
    if (turn.request) return concluding(turn);
    if (what) return askLimit(turn, what);
    return reason ? compact(state, reason) : startModel(step?.n ?? 0);
  }
  switch (step.phase) {
    case "due":
      return [
        {
          do: "awaitRetry",
          key: `retry ${step.n}.${step.attempt} ${step.retryAt}`,
          step: step.n,
          attempt: step.attempt + 1,
          until: step.retryAt ?? 0,
        },
      ];
    case "running":
      return [{ do: "callModel", key: `model ${step.n}.${step.attempt}`, step: step.n, attempt: step.attempt }];
    case "failed":
      if (reason) return compact(state, reason);
      return [{ do: "endTurn", key: `end ${turn.n}`, reason: "failed", ...omitUndefined({ message: step.failure?.message }) }];
    case "replied":
      break;
  }
  const open = state.calls.filter((call) => call.phase !== "done");
  if (open.length > 0) return open.flatMap((call) => forCall(call, open));
  if (state.hooks.some(isPendingPostToolUse)) return [];
  if (state.calls.some(({ awaitsDiagnostics, outside }) => awaitsDiagnostics && !outside))
    return [{ do: "readDiagnostics", key: `diagnostics ${step.n}`, step: step.n }];
  if (steering.length > 0) return deliver(steering);
  if (turn.request) return concluding(turn);
  if (turn.ending) return [{ do: "endTurn", key: `end ${turn.n}`, reason: turn.ending, ...omitUndefined({ message: turn.why }) }];
  if (what) return askLimit(turn, what);
  return reason ? compact(state, reason) : startModel(step.n);
}

/** The model reads the words of a hook together with the result of the call. */
const isPendingPostToolUse = ({ event, outcome, async }: SessionState["hooks"][number]): boolean =>
  isAfterCall(event) && !outcome && !async;

const askLimit = (turn: Turn, what: OwnLimit): SessionEffect[] => [{ do: "askLimit", key: `limit ${turn.n} ${what}`, turn, what }];

/** A request about the turn itself. Nothing continues before its answer. */
const concluding = (turn: Turn): SessionEffect[] =>
  turn.request && turn.answer ? [{ do: "concludeTurn", key: `conclude ${turn.request.id}`, turn, answer: turn.answer }] : [];

const compact = ({ compactions, compaction }: SessionState, reason: CompactionReason): SessionEffect[] => [
  { do: "compact", key: `compact ${compactions}`, reason, ...omitUndefined({ note: compaction?.note }) },
];

function forCall(call: Call, open: readonly Call[]): SessionEffect[] {
  switch (call.phase) {
    case "requested":
      return [{ do: "judge", key: `judge ${call.id}`, call }];
    case "answered":
      return [{ do: "conclude", key: `conclude ${call.id}`, call }];
    case "allowed":
      return mayStart(call, open) ? [{ do: "startTool", key: `start ${call.id}`, callId: call.id }] : [];
    case "running":
      return [{ do: "runTool", key: `call ${call.id}`, call }];
    case "waiting":
    case "done":
      return [];
  }
}

/** Read-only calls run side by side. A call that writes waits for all earlier calls of its reply. */
const mayStart = (call: Call, open: readonly Call[]): boolean => !call.writes || open[0]?.id === call.id;

const deliver = (promptIds: PromptId[]): SessionEffect[] =>
  promptIds.length === 0 ? [] : [{ do: "deliver", key: `deliver ${promptIds.join(" ")}`, promptIds }];

const startModel = (previous: number): SessionEffect[] => [
  { do: "startModel", key: `start ${previous + 1}`, step: previous + 1, attempt: 1 },
];
