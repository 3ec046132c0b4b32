import { omitUndefined } from "../text/omit-undefined.ts";
import type { EventOf, LoggedEvent } from "../protocol/event.ts";
import { returnPointsAfter } from "../mode/mode-transition.ts";
import { reduceCallReceived, markChecksAsRead, reduceFileChanged, CHECK_ORIGIN } from "./reduce/check.ts";
import { reduceCallFinished, reduceDiagnosticsReported, withoutRequest } from "./reduce/call.ts";
import { reduceHookFinished, reduceHookStarted, withoutHooks } from "./reduce/hook.ts";
import { withClosedRequest, withCall, withTurn } from "./reduce/update-state.ts";
import { reducePromptsDelivered, reducePromptReceived } from "./reduce/prompt.ts";
import { reduceRequestAnswered, reduceRequestOpened, withoutServer, withoutTrust } from "./reduce/request.ts";
import {
  reduceModelFailed,
  reduceModelKept,
  reduceModelReplied,
  reduceModelSpent,
  reduceModelStarted,
  reduceContextShrunk,
} from "./reduce/step.ts";
import { reduceSandboxExceeded } from "./reduce/sandbox.ts";
import { reduceTurnEnded, reduceLimitRaised } from "./reduce/turn.ts";
import { newStep, type SessionState } from "./state.ts";
import { addUsage } from "./usage/add-usage.ts";

/**
 * Folds an event into the state. Total and pure: it never throws and reads no clock. An event that does not fit changes
 * nothing.
 */
export function reduceSession(before: SessionState, event: LoggedEvent): SessionState {
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
        surroundings: event.surroundings ?? state.surroundings,
      };
    case "session.renamed":
      return { ...state, title: event.title, usage: event.usage === undefined ? state.usage : addUsage(state.usage, event.usage) };
    case "session.archived":
      return { ...state, archived: event.archived };
    case "session.rewound":
      return rewound(state, event);
    case "prompt.received":
      return reducePromptReceived(event.synthetic === CHECK_ORIGIN ? markChecksAsRead(state) : state, event);
    case "prompt.edited":
      return {
        ...state,
        queue: state.queue.map((prompt) => (prompt.promptId === event.promptId ? { ...prompt, text: event.text } : prompt)),
      };
    case "prompt.withdrawn":
      return { ...state, queue: state.queue.filter((prompt) => prompt.promptId !== event.promptId) };
    case "prompt.delivered":
      return reducePromptsDelivered(state, event);
    case "queue.resumed":
      return { ...state, held: false };
    case "root.added":
      return { ...state, roots: [...state.roots.filter(({ path }) => path !== event.root.path), event.root] };
    case "root.removed":
      return { ...state, roots: state.roots.filter(({ path }) => path !== event.path) };
    case "mode.changed":
      return modeChanged(state, event);
    case "coordination.raised":
      return withTurn(state, (turn) => ({ ...turn, coordinated: [...turn.coordinated, event.about] }));
    case "model.chosen":
      return withTurn({ ...state, model: event.model }, (turn) => ({ ...turn, fallback: undefined, model: undefined }));
    case "limit.changed":
      return { ...state, stepLimit: event.stepLimit };
    case "model.started":
      return reduceModelStarted(state, event);
    case "model.kept":
      return reduceModelKept(state, event);
    case "model.spent":
      return reduceModelSpent(state, event);
    case "model.replied":
      return reduceModelReplied(state, event);
    case "model.failed":
      return reduceModelFailed(state, event);
    case "compaction.wanted":
      return { ...state, compaction: event.note === undefined ? {} : { note: event.note } };
    case "context.pruned":
      return reduceContextShrunk(state, event);
    case "context.compacted":
      return {
        ...reduceContextShrunk(withoutCompaction(withoutHooks(state, ["PreCompact"])), event),
        usage: addUsage(state.usage, event.usage),
      };
    case "compaction.failed":
      return withTurn({ ...withoutCompaction(withoutHooks(state, ["PreCompact"])), compactions: state.compactions + 1 }, (turn) => ({
        ...turn,
        full: event.message,
      }));
    case "tool.allowed":
      // A user who allowed a call has seen what is going on, so the loop guard starts counting again.
      return withCall(withoutRequest(event.answeredBy ? { ...state, recent: [] } : state, event.callId), event.callId, {
        phase: "allowed",
        writes: event.writes,
        verdict: event.verdict,
        ...omitUndefined({ answeredBy: event.answeredBy }),
      });
    case "call.received":
      return reduceCallReceived(state, event);
    case "request.opened":
      return reduceRequestOpened(state, event);
    case "request.answered":
      return reduceRequestAnswered(state, event);
    case "request.closed":
      return withClosedRequest(withoutServer(state.trust?.request.id === event.requestId ? withoutTrust(state) : state, event.requestId), {
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
      return reduceCallFinished(state, event);
    case "diagnostics.reported":
      return reduceDiagnosticsReported(state, event);
    case "grant.given":
      return { ...state, grants: [...state.grants, event.grant] };
    case "grant.revoked":
      return { ...state, grants: state.grants.filter((grant) => grant.id !== event.grantId) };
    case "file.kept":
      return state;
    case "file.changed":
      return reduceFileChanged(state, event);
    case "undo.started":
      return {
        ...state,
        undo: {
          since: event.since,
          files: event.files,
          told: event.told,
          ...omitUndefined({ hunk: event.hunk }),
          ...(event.redo ? { redo: true } : {}),
        },
      };
    case "hook.started":
      return reduceHookStarted(state, event);
    case "hook.finished":
      return reduceHookFinished(state, event);
    case "undo.finished":
      return { ...state, undo: undefined };
    case "variables.changed":
      return event.from === undefined
        ? { ...state, handed: { ...state.handed, ...event.values } }
        : { ...state, variables: { ...state.variables, ...event.values } };
    case "todos.changed":
      return { ...state, todos: event.todos };
    case "limit.raised":
      return reduceLimitRaised(state, event);
    case "child.started":
      return { ...state, children: [...state.children, event.child] };
    case "child.spent": {
      const { childId, cost, raised } = event;
      return { ...state, below: [...state.below.filter((child) => child.childId !== childId), { childId, cost, raised }] };
    }
    case "child.ended":
      return { ...state, children: state.children.filter(({ childId }) => childId !== event.childId) };
    case "process.started":
      return { ...state, processes: [...state.processes, { processId: event.processId, command: event.command, startedAt: event.at }] };
    case "process.ended":
      return { ...state, processes: state.processes.filter((process) => process.processId !== event.processId) };
    case "sandbox.exceeded":
      return reduceSandboxExceeded(state, event);
    case "turn.ended":
      return reduceTurnEnded(state, event);
  }
  return ofLaterVersion(state, event);
}

/** An event of a later version changes nothing. A case missing above does not compile. */
const ofLaterVersion = (state: SessionState, _: never): SessionState => state;

/** `foldEffective` provides the state at `to`. A follower has a later state, so it opens the session again. */
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
  return { ...state, toolset: { changes: (state.toolset?.changes ?? 0) + changes, ...omitUndefined({ equipped }) } };
}

function modeChanged(state: SessionState, { from, to, by, origin, at }: LoggedEvent<EventOf<"mode.changed">>): SessionState {
  const changed = { ...state, mode: to, modeSince: at, returnPoints: returnPointsAfter(state.returnPoints, { from, to, origin }) };
  return origin === "user" && "person" in by ? withTurn(changed, (turn) => ({ ...turn, modeChosen: true })) : changed;
}

const withoutCompaction = (state: SessionState): SessionState => ({ ...state, compaction: undefined });
