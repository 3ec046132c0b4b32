import type { Result } from "../protocol/call.ts";
import type { EventOf, Logged } from "../protocol/event.ts";
import { returningTo } from "../mode/transition.ts";
import type { CallId, RequestId } from "../protocol/ids.ts";
import { addUsage } from "./usage.ts";
import { imageBytes, imageCharacters, refusedFor } from "./room.ts";
import { keyOfCall, remembered } from "./repeat.ts";
import { newStep, newTurn, openRequests, type Call, type ClosedRequest, type SessionState, type Step, type Turn } from "./state.ts";

const CLOSED_KEPT = 50;

/** What has happened so far. Total and pure: never throws, reads no clock; an event that fits nothing changes nothing. */
export function reduce(before: SessionState, event: Logged): SessionState {
  const state: SessionState = { ...before, updatedAt: event.at };
  switch (event.type) {
    case "session.created":
      return {
        ...state,
        created: true,
        workspace: event.workspace,
        mode: event.mode,
        modeSince: event.at,
        createdAt: event.at,
        stepLimit: event.stepLimit,
        model: event.model ?? state.model,
        parent: event.parent ?? state.parent,
        limits: event.limits ?? state.limits,
        costBudget: event.limits?.cost ?? state.costBudget,
        ceilings: event.ceilings ?? state.ceilings,
        endpoint: event.endpoint ?? state.endpoint,
        variables: event.variables ?? state.variables,
      };
    case "session.renamed":
      return { ...state, title: event.title, usage: event.usage === undefined ? state.usage : addUsage(state.usage, event.usage) };
    case "session.archived":
      return { ...state, archived: event.archived };
    case "session.rewound":
      return rewound(state, event);
    case "prompt.received":
      return received(state, event);
    case "prompt.edited":
      return {
        ...state,
        queue: state.queue.map((prompt) => (prompt.promptId === event.promptId ? { ...prompt, text: event.text } : prompt)),
      };
    case "prompt.withdrawn":
      return { ...state, queue: state.queue.filter((prompt) => prompt.promptId !== event.promptId) };
    case "prompt.delivered":
      return delivered(state, event);
    case "queue.resumed":
      return { ...state, held: false };
    case "mode.changed":
      return modeChanged(state, event);
    case "coordination.raised":
      return withTurn(state, (turn) => ({ ...turn, coordinated: [...turn.coordinated, event.about] }));
    case "model.chosen":
      return withTurn({ ...state, model: event.model }, (turn) => ({ ...turn, fallback: undefined }));
    case "limit.changed":
      return { ...state, stepLimit: event.stepLimit };
    case "model.started":
      return started(state, event);
    case "model.kept":
      return keptSoFar(state, event);
    case "model.spent":
      return spent(state, event);
    case "model.replied":
      return replied(state, event);
    case "model.failed":
      return failed(state, event);
    case "compaction.wanted":
      return { ...state, compaction: event.note === undefined ? {} : { note: event.note } };
    case "context.pruned":
      return withRoom(state, event);
    case "context.compacted":
      return { ...withRoom(withoutCompaction(state), event), usage: addUsage(state.usage, event.usage) };
    case "compaction.failed":
      return withTurn({ ...withoutCompaction(state), compactions: state.compactions + 1 }, (turn) => ({ ...turn, full: event.message }));
    case "tool.allowed":
      // A person who let a call through has seen what goes on: counting begins anew.
      return withCall(withoutRequest(event.answeredBy ? { ...state, recent: [] } : state, event.callId), event.callId, {
        phase: "allowed",
        writes: event.writes,
        verdict: event.verdict,
        ...(event.answeredBy === undefined ? {} : { answeredBy: event.answeredBy }),
      });
    case "call.received":
      return { ...state, calls: [...stillTold(state.calls), { ...event.call, phase: "requested", writes: true, outside: true }] };
    case "request.opened":
      return opened(state, event);
    case "request.answered":
      return answered(state, event);
    case "request.closed":
      return closing(withoutServer(state.trust?.request.id === event.requestId ? withoutTrust(state) : state, event.requestId), {
        id: event.requestId,
        reason: event.reason,
      });
    case "trust.settled":
      return withoutTrust(state);
    case "server.settled":
      return withoutServer(state, event.requestId);
    case "toolset.changed":
      return toolsetChanged(state, event);
    case "tool.started":
      return withCall(state, event.callId, { phase: "running" });
    case "tool.finished":
      return finished(state, event);
    case "grant.given":
      return { ...state, grants: [...state.grants, event.grant] };
    case "grant.revoked":
      return { ...state, grants: state.grants.filter((grant) => grant.id !== event.grantId) };
    case "file.kept":
    case "file.changed":
      return state;
    case "undo.started":
      return { ...state, undo: { since: event.since, files: event.files, told: event.told } };
    case "undo.finished":
      return { ...state, undo: undefined };
    case "variables.changed":
      return event.from === undefined
        ? { ...state, handed: { ...state.handed, ...event.values } }
        : { ...state, variables: { ...state.variables, ...event.values } };
    case "todos.changed":
      return { ...state, todos: event.todos };
    case "limit.raised":
      return raised(state, event);
    case "child.started":
      return { ...state, children: [...state.children, event.child] };
    case "child.ended":
      return { ...state, children: state.children.filter(({ childId }) => childId !== event.childId) };
    case "process.started":
      return { ...state, processes: [...state.processes, { processId: event.processId, command: event.command, startedAt: event.at }] };
    case "process.ended":
      return { ...state, processes: state.processes.filter((process) => process.processId !== event.processId) };
    case "turn.ended":
      return ended(state, event);
  }
  return ofLaterVersion(state, event);
}

/** An event that only a later version knows changes nothing here; a case that was forgotten above does not compile. */
const ofLaterVersion = (state: SessionState, _: never): SessionState => state;

/** `state` is that of `to`: `foldEffective` sees to it. A follower, who has a later one, opens the session anew. */
function rewound(state: SessionState, { step: n, turn }: EventOf<"session.rewound">): SessionState {
  const { mode } = state;
  return {
    ...state,
    turn: undefined,
    calls: [],
    turns: turn,
    step: { ...newStep, n, phase: "replied", attempt: 1, mode, model: state.step?.model ?? "" },
  };
}

function toolsetChanged(state: SessionState, { equipped, changes }: EventOf<"toolset.changed">): SessionState {
  return { ...state, toolset: { changes: (state.toolset?.changes ?? 0) + changes, ...(equipped === undefined ? {} : { equipped }) } };
}

/** The question of trust is the workspace's, so it outlives a turn. */
const withoutTrust = (state: SessionState): SessionState => ({ ...state, trust: undefined });

const withoutServer = (state: SessionState, requestId: RequestId): SessionState =>
  state.servers.some(({ request }) => request.id === requestId)
    ? { ...state, servers: state.servers.filter(({ request }) => request.id !== requestId) }
    : state;

function modeChanged(state: SessionState, { from, to, by, origin, at }: Logged<EventOf<"mode.changed">>): SessionState {
  const changed = { ...state, mode: to, modeSince: at, returnTo: returningTo(from, state.returnTo) };
  return origin === "user" && "person" in by ? withTurn(changed, (turn) => ({ ...turn, modeChosen: true })) : changed;
}

const withoutCompaction = (state: SessionState): SessionState => ({ ...state, compaction: undefined });

/** A step that was refused for what is gone now is asked for again. */
function withRoom(state: SessionState, { after, at }: { after: number; at: number }): SessionState {
  const { step } = state;
  const again = step !== undefined && refusedFor(step) !== undefined;
  return {
    ...state,
    step: again ? { ...step, phase: "due", retryAt: at } : step,
    contextTokens: after,
    since: 0,
    pictures: 0,
    compactions: state.compactions + 1,
  };
}

function received(state: SessionState, event: Logged<EventOf<"prompt.received">>): SessionState {
  const { promptId, text, delivery, mode, model, images, synthetic, by } = event;
  const prompt = {
    promptId,
    text,
    delivery,
    mode,
    by,
    ...(model === undefined ? {} : { model }),
    ...(synthetic === undefined ? {} : { synthetic }),
    ...(images === undefined ? {} : { images }),
  };
  return {
    ...state,
    title: state.title || titleOf(text),
    held: synthetic === undefined ? false : state.held,
    queue: [...state.queue, prompt],
  };
}

function delivered(state: SessionState, event: Logged<EventOf<"prompt.delivered">>): SessionState {
  const ids = new Set(event.promptIds);
  const promptModel = state.queue.findLast((prompt) => ids.has(prompt.promptId) && prompt.model)?.model ?? state.promptModel;
  const queue = state.queue.filter((prompt) => !ids.has(prompt.promptId));
  const n = state.turns + (state.turn ? 0 : 1);
  const { timeMs, output } = state.limits;
  const turn: Turn = state.turn
    ? { ...(state.turn.answer ? unasked(state.turn) : state.turn), denied: false, ending: undefined, why: undefined }
    : {
        ...newTurn,
        n,
        budget: state.stepLimit,
        startedAt: event.at,
        costBefore: state.usage.cost,
        timeBudgetMs: timeMs,
        outputBudget: output,
      };
  const said = state.queue.reduce(
    (sum, { promptId, text, images }) => sum + (ids.has(promptId) ? text.length + imageCharacters(images) : 0),
    0,
  );
  return { ...state, recent: [], since: state.since + said, queue, turn, turns: n, promptModel };
}

function started(state: SessionState, { step: n, attempt, mode, model, tools, mostSteps, room }: EventOf<"model.started">): SessionState {
  const first = state.step?.n !== n;
  const next: SessionState = {
    ...state,
    step: { ...newStep, n, phase: "running", attempt, mode, model, tools, room, others: first ? undefined : state.step?.others },
    calls: [],
    pictures: state.pictures + state.calls.reduce((sum, { result }) => sum + imageBytes(result?.images), 0),
    counts: { ...state.counts, steps: state.counts.steps + (first ? 1 : 0) },
  };
  return first ? withTurn(next, (turn) => oneMoreStep(turn, mode, mostSteps)) : next;
}

function oneMoreStep(turn: Turn, mode: string, most: number | undefined): Turn {
  return { ...turn, steps: turn.steps + 1, inMode: most === undefined ? undefined : oneMoreInMode(turn, mode, most) };
}

const oneMoreInMode = ({ inMode }: Turn, mode: string, most: number): Turn["inMode"] =>
  inMode?.mode === mode ? { ...inMode, steps: inMode.steps + 1 } : { mode, steps: 1, budget: most, most };

function replied(state: SessionState, event: EventOf<"model.replied">): SessionState {
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
    ...(calls.length > 0 ? {} : endOf(turn, event.finish)),
  }));
}

/** Counts for nothing yet: the end of the reply, or whoever finds that it never ended, says what it took. */
const keptSoFar = (state: SessionState, { step: n, usage }: EventOf<"model.kept">): SessionState =>
  state.step?.n === n && usage ? { ...state, step: { ...state.step, spent: usage } } : state;

/** The conversation has the size that was read for it; what was said of the reply is hardly more. */
function spent(state: SessionState, { step: n, usage }: EventOf<"model.spent">): SessionState {
  const next: SessionState = { ...state, usage: addUsage(state.usage, usage) };
  if (n === undefined || state.step?.n !== n) return next;
  return { ...next, step: { ...state.step, spent: undefined }, contextTokens: usage.input, since: 0 };
}

/** What the provider counted; where it counts nothing, the characters go on being counted. */
function sizeAfter({ contextTokens, since }: SessionState, { usage, text, calls }: EventOf<"model.replied">) {
  if (usage.input > 0) return { contextTokens: usage.input + usage.output, since: 0 };
  return { contextTokens, since: since + text.length + JSON.stringify(calls.map(({ input, raw }) => input ?? raw)).length };
}

/** A reply without calls ends the turn; one that was cut short by the provider says so. */
function endOf({ denied }: Turn, finish: string): Pick<Turn, "ending" | "why"> {
  if (finish === "length")
    return { ending: "limit", why: "The answer reached the most that the model may say at once, and ends there. Say how to go on." };
  if (finish === "content-filter")
    return { ending: "failed", why: "The provider's content filter stopped the answer. Say it in other words, or choose another model." };
  return { ending: denied ? "denied" : "completed" };
}

function failed(state: SessionState, event: EventOf<"model.failed">): SessionState {
  const { code, message, retryAt, fallback } = event;
  const neverStarted = state.step?.n !== event.step;
  const before: Step = neverStarted || !state.step ? { ...newStep, n: event.step, mode: state.mode } : state.step;
  const step: Step = {
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

function raised(state: SessionState, { what, by, at }: Logged<EventOf<"limit.raised">>): SessionState {
  switch (what) {
    case "day":
      return withTurn({ ...state, dayRaise: { at, by } }, unasked);
    case "cost":
      return withTurn({ ...state, costBudget: Math.max(state.costBudget ?? 0, state.usage.cost) + by }, unasked);
    case "steps":
      return withTurn(state, (turn) => withMoreSteps(unasked(turn), by));
    case "time":
      return withTurn(state, (turn) => ({ ...unasked(turn), timeBudgetMs: Math.max(turn.timeBudgetMs ?? 0, turn.workedMs) + by }));
    case "output":
      return withTurn(state, (turn) => ({ ...unasked(turn), outputBudget: Math.max(turn.outputBudget ?? 0, turn.output) + by }));
  }
}

/** Only what has been reached is raised. */
function withMoreSteps(turn: Turn, by: number): Turn {
  const { inMode, budget, steps } = turn;
  return {
    ...turn,
    budget: steps >= budget ? budget + by : budget,
    inMode: inMode && inMode.steps >= inMode.budget ? { ...inMode, budget: inMode.budget + by } : inMode,
  };
}

function opened(state: SessionState, { request }: EventOf<"request.opened">): SessionState {
  const next: SessionState = { ...state, counts: { ...state.counts, opened: state.counts.opened + 1 } };
  if ("call" in request.subject) return withCall(next, request.subject.call, { phase: "waiting", request });
  if ("workspace" in request.subject) return { ...next, trust: { request } };
  if ("server" in request.subject) return { ...next, servers: [...state.servers, { request }] };
  return withTurn(next, (turn) => ({ ...unasked(turn), request }));
}

function answered(state: SessionState, { requestId, answer, by }: EventOf<"request.answered">): SessionState {
  const denied = answer.choice === "deny" || answer.choice === "stop" ? 1 : 0;
  const counts = { ...state.counts, answered: state.counts.answered + 1, denied: state.counts.denied + denied };
  const next = closing({ ...state, counts }, { id: requestId, by, answer, reason: "answered" });
  const call = state.calls.find((c) => c.request?.id === requestId);
  if (call) return withCall(next, call.id, { phase: "answered", answer, answeredBy: by });
  if (state.trust?.request.id === requestId) return { ...next, trust: { ...state.trust, answer, answeredBy: by } };
  if (state.servers.some(({ request }) => request.id === requestId))
    return {
      ...next,
      servers: state.servers.map((each) => (each.request.id === requestId ? { ...each, answer, answeredBy: by } : each)),
    };
  return withTurn(next, (turn) => (turn.request?.id === requestId ? { ...turn, answer } : turn));
}

function finished(state: SessionState, event: EventOf<"tool.finished">): SessionState {
  const call = state.calls.find((c) => c.id === event.callId);
  if (!call || call.phase === "done") return state;
  const recent = remembered(state.recent, keyOfCall(call));
  const next = withCall(
    withoutRequest(
      { ...state, recent, since: state.since + event.result.text.length + imageCharacters(event.result.images) },
      event.callId,
    ),
    event.callId,
    {
      phase: "done",
      result: event.result,
    },
  );
  return withTurn(next, (turn) => ({
    ...turn,
    workedMs: turn.workedMs + (event.tookMs ?? 0),
    output: turn.output + event.result.text.length,
    denied: event.result.outcome === "denied" && call.answer !== undefined ? true : event.result.outcome === "ok" ? false : turn.denied,
    ...(event.result.ends ? { ending: event.result.ends, said: event.result.text } : {}),
  }));
}

/** A turn that ends closes what is still open, so that a result follows every call. */
function ended(state: SessionState, { reason, message, at }: Logged<EventOf<"turn.ended">>): SessionState {
  const unknown = state.calls.some((call) => call.result?.outcome === "unknown");
  const said = state.turn?.said;
  const lasting = state.servers.filter(isAboutServer);
  const closed = openRequests({ ...withoutTrust(state), servers: state.servers.filter((each) => !isAboutServer(each)) });
  return {
    ...closed.reduce<SessionState>((now, { id }) => closing(now, { id, reason: "interrupted" }), state),
    turn: undefined,
    servers: lasting,
    calls: state.calls.map((call) => (call.phase === "done" ? call : { ...call, phase: "done", result: cutOff(call.phase === "running") })),
    held: reason === "stopped" && state.queue.length > 0,
    lastTurn: {
      reason,
      unknown,
      endedAt: at,
      cost: state.usage.cost - (state.turn?.costBefore ?? state.usage.cost),
      ...(message === undefined ? {} : { message }),
      ...(said === undefined ? {} : { said }),
    },
  };
}

/** Whether a server may be used is asked for the workspace, so it outlives a turn; what a server asks does not. */
const isAboutServer = ({ request }: SessionState["servers"][number]): boolean => request.kind === "approval";

/** What the model reads of a call that an interrupt cut off. */
export const cutOff = (isRunning: boolean): Result => ({
  outcome: "interrupted",
  text: isRunning
    ? "Stopped by the person before it finished. What it had done by then stays done."
    : "Stopped by the person before it began. Nothing of it was done.",
});

const closing = (state: SessionState, request: ClosedRequest): SessionState =>
  state.closed.some((known) => known.id === request.id) ? state : { ...state, closed: [...state.closed.slice(1 - CLOSED_KEPT), request] };

const withCall = (state: SessionState, id: CallId, change: Partial<Call>): SessionState => ({
  ...state,
  calls: state.calls.map((call) => (call.id === id ? { ...call, ...change } : call)),
});

const TOLD = 16;

/** The open calls, and the last of those that have ended. */
function stillTold(calls: readonly Call[]): Call[] {
  const ended = calls.filter(({ phase }) => phase === "done").slice(0, -TOLD);
  return calls.filter((call) => !ended.includes(call));
}

/** A waiting call that goes on without an answer (a grant covers it now) has no open request any more. */
function withoutRequest(state: SessionState, id: CallId): SessionState {
  const waiting = state.calls.find((call) => call.id === id && call.phase === "waiting");
  return waiting?.request ? closing(state, { id: waiting.request.id, reason: "granted" }) : state;
}

const withTurn = (state: SessionState, change: (turn: Turn) => Turn): SessionState =>
  state.turn ? { ...state, turn: change(state.turn) } : state;

const unasked = (turn: Turn): Turn => ({ ...turn, request: undefined, answer: undefined });

/** A session without a name is called after its first prompt: one line, 60 characters. */
function titleOf(text: string): string {
  const line = text.trim().split("\n", 1)[0] ?? "";
  return line.length > 60 ? `${line.slice(0, 59).trimEnd()}…` : line;
}
