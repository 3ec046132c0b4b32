import type { ReturnPoint } from "../mode/transition.ts";
import type { Result, Todo, ToolCall, Usage } from "../protocol/call.ts";
import type { DelegatedTask, Delivery, EventOf, Limits, ModelFault, TurnEnd } from "../protocol/event.ts";
import type { KeptImage } from "../protocol/image.ts";
import type { PromptId, RequestId } from "../protocol/ids.ts";
import type { ModeSlug } from "../protocol/mode.ts";
import type { Actor, Answer, Request } from "../protocol/request.ts";
import type { Grant, PlacedRule, Verdict } from "../protocol/rule.ts";
import type { SharedVariables } from "../protocol/shared-variables.ts";
import type { Toolset } from "../protocol/toolset.ts";
import { noUsage } from "./usage.ts";

export type CallPhase = "requested" | "waiting" | "answered" | "allowed" | "running" | "done";

/** A call of the current step. `request` is open while it waits; `answer` is there from the answer to the end. */
export type Call = ToolCall & {
  phase: CallPhase;
  /** It came from another agent, so it belongs to no step and waits for no other. */
  outside?: true;
  writes: boolean;
  request?: Request;
  answer?: Answer;
  answeredBy?: Actor;
  verdict?: Verdict;
  result?: Result;
};

export type QueuedPrompt = {
  promptId: PromptId;
  text: string;
  delivery: Delivery;
  mode: ModeSlug;
  switchTo?: ModeSlug;
  model?: string;
  synthetic?: string;
  images?: readonly KeptImage[];
  by: Actor;
};

/** What a model can read and say at most, in tokens; what nobody knows is absent. */
export type ContextFill = { context?: number | undefined; output?: number | undefined };

/**
 * The latest call of the model. `due` waits for the time `retryAt`, or for nothing; `running` is with the provider;
 * `replied` means that its calls are at work; `failed` that the model will not be asked again.
 */
export type Step = {
  n: number;
  phase: "due" | "running" | "replied" | "failed";
  attempt: number;
  retryAt?: number | undefined;
  mode: ModeSlug;
  model: string;
  /** Digest of the tools that were offered. */
  tools: string;
  calls: number;
  room?: ContextFill | undefined;
  /** Attempts that another model made before this one took over. */
  others?: number | undefined;
  failure?: { code: ModelFault; message: string } | undefined;
  /** What the running reply had used when its text was kept last. It counts only if nobody says more. */
  spent?: Usage | undefined;
};

/** `n` counts turns; `steps` those of this turn; `budget` is how many it may take before it has to ask. */
export type Turn = {
  n: number;
  steps: number;
  budget: number;
  /** The same for the mode that it is in, where that has a limit of its own: `most` at first. */
  inMode?: { mode: ModeSlug; steps: number; budget: number; most: number } | undefined;
  startedAt: number;
  /** Time that models and tools took; what a person took to answer is not in it. */
  workedMs: number;
  /** What the session had cost before it, in US dollars. */
  costBefore: number;
  timeBudgetMs?: number | undefined;
  /** Characters of results that the model was given to read. */
  output: number;
  outputBudget?: number | undefined;
  ending?: TurnEnd | undefined;
  /** Why it ends, where its end alone does not say so. */
  why?: string | undefined;
  /** The model that stands in for the meant one until the end of the turn. */
  fallback?: string | undefined;
  /** The model that the prompt of the turn names. It counts before those of the session and the mode. */
  model?: string | undefined;
  denied: boolean;
  /** So many steps in a row made only calls that were denied, and not by a person who was asked. */
  deniedSteps: number;
  /** Its last words: what it completed with, else the text of the newest reply. */
  said?: string | undefined;
  /** What coordination was raised for in this turn. */
  coordinated: readonly string[];
  /** Why the conversation cannot be made shorter any more. */
  full?: string | undefined;
  /** A person chose the mode while the turn ran. */
  modeChosen: boolean;
  /** What the turn itself waits for a person with. */
  request?: Request | undefined;
  answer?: Answer | undefined;
};

/** A step and a turn before anything happened in them. */
export const newStep: Step = {
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
  request: undefined,
  answer: undefined,
};

/** A background command that outlives its call. */
export type Process = { processId: string; command: string; startedAt: number };

export type ClosedRequest = {
  id: RequestId;
  by?: Actor;
  answer?: Answer;
  reason: "answered" | "granted" | "expired" | "interrupted" | "withdrawn";
};

/**
 * The small state of the loop: what `next` and `accept` need, and what a client draws around the transcript. Every field is
 * always there, also where it says nothing: engines copy objects of one shape ten times as fast as objects of many.
 */
export type SessionState = {
  created: boolean;
  workspace: string;
  parent?: EventOf<"session.created">["parent"] | undefined;
  ceilings: readonly PlacedRule[];
  /** The profile of the endpoint whose calls these are. */
  endpoint?: string | undefined;
  /** An undo that is under way. */
  undo?: Omit<EventOf<"undo.started">, "type" | "by"> | undefined;
  /** The question whether the workspace is trusted, until what was said is written down. */
  trust?: { request: Request; answer?: Answer; answeredBy?: Actor } | undefined;
  /** Questions about servers and of servers, until what was said is acted on. */
  servers: readonly { request: Request; answer?: Answer; answeredBy?: Actor }[];
  /** The toolset that the session was given, or none (null); else it has what its mode has. `changes` counts how often that was changed. */
  toolset?: { equipped?: Toolset | null; changes: number } | undefined;
  title: string;
  archived: boolean;
  createdAt: number;
  updatedAt: number;
  mode: ModeSlug;
  modeSince: number;
  /** The modes that detours (coordinator, plan, configuration) lead back to, the nearest last. */
  returnPoints: readonly ReturnPoint[];
  /** The session's explicit choice of a model. */
  model?: string | undefined;
  /** The model that the newest prompt named. */
  promptModel?: string | undefined;
  stepLimit: number;
  limits: Limits;
  /** How much the session may cost in all before it asks, in US dollars. */
  costBudget?: number | undefined;
  /** By how much a person let it go beyond what all sessions may cost on the day of `at`. */
  dayRaise?: { at: number; by: number } | undefined;
  turn?: Turn | undefined;
  turns: number;
  lastTurn?:
    | { reason: TurnEnd; message?: string; said?: string; unknown: boolean; endedAt: number; /** In US dollars. */ cost: number }
    | undefined;
  step?: Step | undefined;
  calls: readonly Call[];
  /** The newest calls that have ended, as keys: what goes in circles is put to a person. */
  recent: readonly string[];
  queue: readonly QueuedPrompt[];
  /** Prompts stay queued after an interrupt until the person goes on. */
  held: boolean;
  grants: readonly Grant[];
  closed: readonly ClosedRequest[];
  todos: readonly Todo[];
  /** What delegated tasks have handed over, and what this session hands to its own parent. */
  variables: SharedVariables;
  handed: SharedVariables;
  processes: readonly Process[];
  /** Children that run beside the turns of this session. */
  children: readonly DelegatedTask[];
  /** What children have cost so far, ended ones as well, where the session has a limit for that. */
  below: readonly Omit<EventOf<"child.spent">, "type">[];
  usage: Usage;
  /** The size of the conversation as the provider counted it last, and the characters that came since. */
  contextTokens: number;
  since: number;
  /** The bytes of what calls of earlier steps gave to look at, as far as it is still sent. */
  pictures: number;
  /** A person's wish to make the conversation shorter. */
  compaction?: { note?: string } | undefined;
  /** How often that was tried. */
  compactions: number;
  counts: { steps: number; opened: number; answered: number; denied: number };
};

export const empty: SessionState = {
  created: false,
  workspace: "",
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

/** A state that was kept as JSON, which leaves out what is undefined, in the shape of all others. */
export const shaped = (kept: SessionState): SessionState => ({
  ...empty,
  ...kept,
  turn: kept.turn && { ...newTurn, ...kept.turn },
  step: kept.step && { ...newStep, ...kept.step },
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

export type Status = "idle" | "working" | "waiting" | "failed" | "unknown";

/** How the session stands, as its row in a list shows it. `waiting` is for a person. */
export function statusOf(state: SessionState): Status {
  if (openRequests(state).length > 0) return "waiting";
  if (state.turn) return "working";
  if (state.lastTurn?.reason === "failed") return "failed";
  return state.lastTurn?.unknown ? "unknown" : "idle";
}
