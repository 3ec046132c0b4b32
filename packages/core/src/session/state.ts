import type { ReturnPoint } from "../mode/mode-transition.ts";
import type { CheckOrigin, ToolOutcome, ToolResult, Todo, ToolCall, TokenUsage } from "../protocol/tool-call.ts";
import type { DelegatedTask, PromptDelivery, EventOf, Limits, ModelFault, AdditionalRoot, TurnEndReason } from "../protocol/event.ts";
import type { HookOutcome, HookRun } from "../protocol/hook.ts";
import type { AttachmentRef } from "../protocol/attachment-ref.ts";
import type { CallId, PromptId, RequestId } from "../protocol/ids.ts";
import type { ModeSlug } from "../protocol/mode.ts";
import type { Actor, RequestAnswer, Request } from "../protocol/request.ts";
import type { Grant, SourcedRule, Verdict } from "../protocol/rule.ts";
import type { SharedTaskVariables } from "../protocol/shared-task-variables.ts";
import type { EnvironmentContext } from "../protocol/environment-context.ts";
import type { Toolset } from "../protocol/toolset/toolset-profile.ts";
import { noUsage } from "./usage/add-usage.ts";

export type CallPhase = "requested" | "waiting" | "answered" | "allowed" | "running" | "done";

/**
 * A call of the current step. `request` is open while the call waits. `answer` is set from the answer to the end of the call.
 */
export type Call = ToolCall & {
  phase: CallPhase;
  /** Another agent made this call, so it belongs to no step and waits for no other call. */
  outside?: true;
  /** The daemon runs this call to check the edits of the turn. The model reads its output only if it fails. */
  check?: CheckOrigin;
  writes: boolean;
  request?: Request;
  answer?: RequestAnswer;
  answeredBy?: Actor;
  verdict?: Verdict;
  result?: ToolResult;
  /** A language server has to check the files that the call changed. */
  awaitsDiagnostics?: boolean;
};

export type QueuedPrompt = {
  promptId: PromptId;
  text: string;
  delivery: PromptDelivery;
  mode: ModeSlug;
  switchTo?: ModeSlug;
  model?: string;
  synthetic?: string;
  images?: readonly AttachmentRef[];
  by: Actor;
};

/** The most that a model can read and write, in tokens. Unknown values are absent. */
export type TokenLimits = { context?: number | undefined; output?: number | undefined };

/**
 * The latest call of the model. `due`: it waits until `retryAt`, if set. `running`: the provider works on it. `replied`: its
 * calls are running. `failed`: the model is not asked again.
 */
export type ModelStep = {
  n: number;
  phase: "due" | "running" | "replied" | "failed";
  attempt: number;
  retryAt?: number | undefined;
  mode: ModeSlug;
  model: string;
  /** A digest of the offered tools. */
  tools: string;
  calls: number;
  room?: TokenLimits | undefined;
  /** Attempts of another model before this one took over. */
  others?: number | undefined;
  failure?: { code: ModelFault; message: string } | undefined;
  /** The usage of the running reply when its text was last kept. It counts only if nothing more precise follows. */
  spent?: TokenUsage | undefined;
};

/**
 * The newest run of a check in a turn. `at`: the number of changes that it saw. `outcome` is absent while it runs. `end`: how it ended, such
 * as `exit 1`. `told`: the model has its output.
 */
export type CheckRun = { command: string; callId: CallId; at: number; outcome?: ToolOutcome; end?: string; told?: true };

/** `n` counts turns, and `steps` the steps of this turn. `budget`: how many steps it may take before it asks. */
export type Turn = {
  n: number;
  steps: number;
  budget: number;
  /** The same for the current mode, if it has its own limit. `most` is its initial value. */
  inMode?: { mode: ModeSlug; steps: number; budget: number; most: number } | undefined;
  startedAt: number;
  /** Working time of models and tools. Waiting for the user does not count. */
  workedMs: number;
  /** The cost of the session before this turn, in US dollars. */
  costBefore: number;
  timeBudgetMs?: number | undefined;
  /** Characters of results that the model has read. */
  output: number;
  outputBudget?: number | undefined;
  ending?: TurnEndReason | undefined;
  /** Why the turn ends, if its reason alone does not say it. */
  why?: string | undefined;
  /** The model that replaces a failing one until the end of the turn. */
  fallback?: string | undefined;
  /** The model that the prompt of the turn names. It takes precedence over those of the session and the mode. */
  model?: string | undefined;
  denied: boolean;
  /** How many steps in a row made only calls that were denied without asking the user. */
  deniedSteps: number;
  /** The last words of the turn: its completion, or the text of the newest reply. */
  said?: string | undefined;
  /** The subjects for which coordination was started in this turn. */
  coordinated: readonly string[];
  /** Why the conversation cannot be compacted further. */
  full?: string | undefined;
  /** The user chose the mode while the turn ran. */
  modeChosen: boolean;
  /** The files that the turn changed, and whether each still exists. `changes` counts the changes. */
  changed: Readonly<Record<string, boolean>>;
  changes: number;
  /** The newest run of each check. `checked` counts all runs, and `continued` how often failing checks continued the turn. */
  checks: readonly CheckRun[];
  checked: number;
  continued: number;
  /** The request about the turn itself. */
  request?: Request | undefined;
  answer?: RequestAnswer | undefined;
};

/** A step and a turn before anything has happened. */
export const newStep: ModelStep = {
  n: 0,
  phase: "running",
  attempt: 0,
  retryAt: undefined,
  mode: "",
  model: "",
  tools: "",
  calls: 0,
  room: undefined,
  others: undefined,
  failure: undefined,
  spent: undefined,
};

export const newTurn: Turn = {
  n: 0,
  steps: 0,
  budget: 0,
  inMode: undefined,
  startedAt: 0,
  workedMs: 0,
  costBefore: 0,
  timeBudgetMs: undefined,
  output: 0,
  outputBudget: undefined,
  ending: undefined,
  why: undefined,
  fallback: undefined,
  model: undefined,
  denied: false,
  deniedSteps: 0,
  said: undefined,
  coordinated: [],
  full: undefined,
  modeChosen: false,
  changed: {},
  changes: 0,
  checks: [],
  checked: 0,
  continued: 0,
  request: undefined,
  answer: undefined,
};

/** A run of a hook. `outcome` is absent while it runs. */
export type HookRunState = HookRun & { outcome?: HookOutcome };

/** A background command that outlives its call. */
export type BackgroundProcess = { processId: string; command: string; startedAt: number };

export type ClosedRequest = {
  id: RequestId;
  by?: Actor;
  answer?: RequestAnswer;
  reason: "answered" | "granted" | "expired" | "interrupted" | "withdrawn";
};

/**
 * The state of a session: what `nextEffects` and `acceptCommand` need, and what a client shows around the transcript. Every
 * field is always present, even if it is empty: JavaScript engines copy objects of one shape ten times as fast as objects of
 * many.
 */
export type SessionState = {
  created: boolean;
  workspace: string;
  /** Folders that the session may use besides its workspace. */
  roots: readonly AdditionalRoot[];
  parent?: EventOf<"session.created">["parent"] | undefined;
  ceilings: readonly SourcedRule[];
  /** The endpoint profile whose calls this session holds. */
  endpoint?: string | undefined;
  /** A running undo. */
  undo?: Omit<EventOf<"undo.started">, "type" | "by"> | undefined;
  /** The question whether the workspace is trusted, until the answer is stored. */
  trust?: { request: Request; answer?: RequestAnswer; answeredBy?: Actor } | undefined;
  /** Questions about servers and from servers, until their answers have taken effect. */
  servers: readonly { request: Request; answer?: RequestAnswer; answeredBy?: Actor }[];
  /**
   * The session's own toolset, or null for none. Undefined: the toolset of its mode applies. `changes` counts how often it was
   * changed.
   */
  toolset?: { equipped?: Toolset | null; changes: number } | undefined;
  title: string;
  archived: boolean;
  createdAt: number;
  /** Absent in sessions of early versions. */
  surroundings?: EnvironmentContext | undefined;
  updatedAt: number;
  mode: ModeSlug;
  modeSince: number;
  /** The modes to return to after coordinator, plan or configuration, the most recent last. */
  returnPoints: readonly ReturnPoint[];
  /** The model that the user chose for the session. */
  model?: string | undefined;
  /** The model that the newest prompt names. */
  promptModel?: string | undefined;
  stepLimit: number;
  limits: Limits;
  /** How much the session may cost before it asks, in US dollars. */
  costBudget?: number | undefined;
  /** How much the user let it exceed the daily budget of all sessions, on the day of `at`. */
  dayRaise?: { at: number; by: number } | undefined;
  turn?: Turn | undefined;
  turns: number;
  lastTurn?:
    | { reason: TurnEndReason; message?: string; said?: string; unknown: boolean; endedAt: number; /** In US dollars. */ cost: number }
    | undefined;
  step?: ModelStep | undefined;
  calls: readonly Call[];
  /** Keys of the newest ended calls, for the loop guard. */
  recent: readonly string[];
  queue: readonly QueuedPrompt[];
  /** After an interrupt, prompts stay queued until the user resumes. */
  held: boolean;
  grants: readonly Grant[];
  closed: readonly ClosedRequest[];
  todos: readonly Todo[];
  /** Variables that delegated tasks returned, and those that this session returns to its parent. */
  variables: SharedTaskVariables;
  handed: SharedTaskVariables;
  processes: readonly BackgroundProcess[];
  /** The runs of hooks that are running, and the ended ones whose decision still counts. */
  hooks: readonly HookRunState[];
  /** The hashes of hooks that run once in a session and have run. */
  hooksOnce: readonly string[];
  /** The programs of commands that did more in the sandbox than their verdict named. They ask from then on. */
  exceeded: readonly string[];
  /** Children that run beside the turns of this session. */
  children: readonly DelegatedTask[];
  /** The cost of children so far, including ended ones, if the session has a limit. */
  below: readonly Omit<EventOf<"child.spent">, "type">[];
  usage: TokenUsage;
  /** The provider's last count of the conversation in tokens, and the characters that came since. */
  contextTokens: number;
  since: number;
  /** The bytes of images and files from earlier steps that are still sent. */
  pictures: number;
  /** The user's request to compact the conversation. */
  compaction?: { note?: string } | undefined;
  /** How often compaction was attempted. */
  compactions: number;
  counts: { steps: number; opened: number; answered: number; denied: number };
};

export const emptyState: SessionState = {
  created: false,
  workspace: "",
  roots: [],
  parent: undefined,
  ceilings: [],
  endpoint: undefined,
  undo: undefined,
  trust: undefined,
  servers: [],
  toolset: undefined,
  title: "",
  archived: false,
  createdAt: 0,
  surroundings: undefined,
  updatedAt: 0,
  mode: "code",
  modeSince: 0,
  returnPoints: [],
  model: undefined,
  promptModel: undefined,
  stepLimit: 200,
  limits: {},
  costBudget: undefined,
  dayRaise: undefined,
  turn: undefined,
  turns: 0,
  lastTurn: undefined,
  step: undefined,
  calls: [],
  recent: [],
  queue: [],
  held: false,
  grants: [],
  closed: [],
  todos: [],
  variables: {},
  handed: {},
  processes: [],
  hooks: [],
  hooksOnce: [],
  exceeded: [],
  children: [],
  below: [],
  usage: noUsage,
  contextTokens: 0,
  since: 0,
  pictures: 0,
  compaction: undefined,
  compactions: 0,
  counts: { steps: 0, opened: 0, answered: 0, denied: 0 },
};

/** Restores the uniform shape of a state that was stored as JSON, which drops undefined fields. */
export const normalizeState = (stored: SessionState): SessionState => ({
  ...emptyState,
  ...stored,
  turn: stored.turn && { ...newTurn, ...stored.turn },
  step: stored.step && { ...newStep, ...stored.step },
});

/** Every open request of the session, oldest first. */
export function openRequests(state: SessionState): Request[] {
  const { calls, turn, trust, servers } = state;
  const open: Request[] = [];
  for (const { phase, request } of calls) if (phase === "waiting" && request) open.push(request);
  if (turn?.request && !turn.answer) open.push(turn.request);
  if (trust && !trust.answer) open.push(trust.request);
  for (const { request, answer } of servers) if (!answer) open.push(request);
  return open.length > 1 ? open.sort((a, b) => a.openedAt - b.openedAt) : open;
}

export type SessionRunStatus = "idle" | "working" | "waiting" | "failed" | "unknown";

/** The status of a session in lists. `waiting`: it waits for the user. */
export function statusOf(state: SessionState): SessionRunStatus {
  if (openRequests(state).length > 0) return "waiting";
  if (state.turn) return "working";
  if (state.lastTurn?.reason === "failed") return "failed";
  return state.lastTurn?.unknown ? "unknown" : "idle";
}
