import { requestIdOf, type PromptId, type RequestId } from "@baton/core/protocol/ids";
import type { SessionEvent } from "@baton/core/protocol/event";
import type { Actor, Request } from "@baton/core/protocol/request";
import type { Call, SessionState } from "@baton/core/session/state";
import { asSentence } from "@baton/core/text/format";
import { COORDINATOR_MODE } from "@baton/core/session/leave-coordinator-mode";
import type { EffectContext } from "../effects/effect-context.ts";
import { modeChangeEvents } from "./mode-change-events.ts";

const BLOCKED = "blocked";
const MAX_PER_TURN = 2;

/**
 * Something that a mode lacks: a tool that a call needs, or the needs of a blocked turn. `beyond`: the limit that denies the
 * call, if the mode has the tool.
 */
type MissingCapability = LackingCall | { needs: string };
export type LackingCall = { call: Call; beyond?: string };

/** The origin of a session's move to the coordinator: the daemon, or the user by answering a request. */
type Approval = { by: Actor; requestId?: RequestId | undefined };
const BY_SETTING: Approval = { by: { daemon: true } };

/**
 * Whether the coordinator is asked about a missing capability: at most once per tool and twice per turn. Never in a child,
 * whose parent gets the result instead, and never against a mode that the user chose during the turn.
 */
export function canEscalateToCoordinator(missing: MissingCapability, state: SessionState, { services }: EffectContext): boolean {
  const { turn, parent, mode } = state;
  if (!turn || parent || turn.modeChosen || mode === COORDINATOR_MODE || !services.modes(state.workspace).get(COORDINATOR_MODE))
    return false;
  return (
    services.settings.coordination() !== "off" && turn.coordinated.length < MAX_PER_TURN && !turn.coordinated.includes(subjectText(missing))
  );
}

/** Whether this turn has used all of its coordination, so that another missing capability ends it. */
export const isCoordinationExhausted = ({ turn }: SessionState): boolean => (turn?.coordinated.length ?? 0) >= MAX_PER_TURN;

/** Starts coordination, or asks the user first, depending on the setting. */
export function requestCoordination(missing: MissingCapability, state: SessionState, session: EffectContext): SessionEvent[] {
  const raised: SessionEvent = { type: "coordination.raised", about: subjectText(missing) };
  switch (session.services.settings.coordination()) {
    case "auto":
      return [raised, ...enterCoordinator(missing, state, session)];
    case "ask":
      return [raised, { type: "request.opened", request: coordinationRequest(missing, state, session) }];
    case "off":
      return [];
  }
}

/** Whether the session can still enter the coordinator. The user may have put it there before answering. */
export const canEnterCoordinator = ({ mode }: SessionState): boolean => mode !== COORDINATOR_MODE;

/** Puts the session into the coordinator, and tells the call that needed the tool. */
export function enterCoordinator(
  missing: MissingCapability,
  state: SessionState,
  session: EffectContext,
  approval = BY_SETTING,
): SessionEvent[] {
  const own = "call" in missing ? missing.call.id : undefined;
  const target = { to: COORDINATOR_MODE, origin: "coordination", reason: reasonText(missing, state), ...approval } as const;
  const prompt = { id: coordinationPromptId(missing, state), text: coordinatorPrompt(missing, state) };
  const result =
    "call" in missing
      ? [beyondResult(missing, state) ?? missingCapabilityResult(missing.call, state.mode, "coordination was requested.")]
      : [];
  return [...result, ...modeChangeEvents({ ...target, prompt }, state, own, session.services.clock.now())];
}

const beyondResult = ({ call, beyond }: LackingCall, { mode }: SessionState): SessionEvent | undefined =>
  beyond === undefined
    ? undefined
    : {
        type: "tool.finished",
        callId: call.id,
        result: { outcome: "failed", text: `Not allowed: ${asSentence(beyond)} Coordination was requested.`, end: `not in ${mode}` },
      };

/** The result of a call for a tool that the mode lacks. */
export const missingCapabilityResult = ({ id, tool }: Call, mode: string, then: string, ends?: "blocked"): SessionEvent => ({
  type: "tool.finished",
  callId: id,
  result: {
    outcome: "failed",
    text: `The tool ${tool} is not available in mode ${mode}; ${then}`,
    end: `not in ${mode}`,
    ...(ends ? { ends } : {}),
  },
});

const subjectText = (missing: MissingCapability): string => ("call" in missing ? missing.call.tool : BLOCKED);

const reasonText = (missing: MissingCapability, { mode }: SessionState): string =>
  "call" in missing ? `${mode} does not allow ${missing.call.tool}` : `blocked in ${mode}${missing.needs ? `: ${missing.needs}` : ""}`;

const coordinationPromptId = (missing: MissingCapability, { turn }: SessionState): PromptId =>
  `coordinate-${"call" in missing ? missing.call.id : `t${turn?.n}.${turn?.coordinated.length}`}` as PromptId;

function coordinatorPrompt(missing: MissingCapability, { mode }: SessionState): string {
  const what =
    "call" in missing
      ? `The agent in mode ${mode} called ${missing.call.tool}, which that mode does not allow: ${asSentence(`${missing.call.label.verb} ${missing.call.label.object}`)}`
      : `The agent in mode ${mode} ended its turn as blocked.${missing.needs ? ` It says: ${asSentence(missing.needs)}` : ""}`;
  return `${what} Decide what the user's work needs: put it into another mode with switch_mode, or end with coordinate_mode.`;
}

function coordinationRequest(missing: MissingCapability, state: SessionState, session: EffectContext): Request {
  const { turn, mode, workspace } = state;
  return {
    id: requestIdOf(session.id, "call" in missing ? missing.call.id : `t${turn?.n}.blocked`),
    kind: "question",
    ...("call" in missing ? { subject: { call: missing.call.id } } : { subject: { turn: turn?.n ?? 0 }, about: "coordination" as const }),
    header: "Coordinate?",
    text: `${asSentence(reasonText(missing, state))} Let the coordinator suggest another mode?`,
    folder: workspace,
    choices: [
      { id: "accept", label: "Let the coordinator decide", description: "A mode switch is still requested." },
      { id: "stay", label: `Stay in ${mode}`, description: "The agent continues without it." },
    ],
    freeText: false,
    openedAt: session.services.clock.now(),
  };
}
