import { requestIdOf, type PromptId, type RequestId } from "@baton/core/protocol/ids";
import type { SessionEvent } from "@baton/core/protocol/event";
import type { Actor, Request } from "@baton/core/protocol/request";
import type { Call, SessionState } from "@baton/core/session/state";
import { asSentence } from "@baton/core/text/format";
import { COORDINATOR } from "@baton/core/session/coordination";
import type { EffectContext } from "../effect-context.ts";
import { modeChangeEvents } from "./mode-change-events.ts";

const BLOCKED = "blocked";
const MAX_PER_TURN = 2;

/**
 * What a mode lacks: a tool that this call wanted, or what a blocked turn says that it needs. `beyond` says which limit of
 * the mode forbids the call, where the mode has the tool.
 */
export type MissingCapability = LackingCall | { needs: string };
export type LackingCall = { call: Call; beyond?: string };

/** Who let the session go into the coordinator: the daemon by itself, or the user with the answer to a request. */
export type Approval = { by: Actor; requestId?: RequestId | undefined };
const BY_SETTING: Approval = { by: { daemon: true } };

/**
 * Whether what the mode lacks is put to the coordinator: at most once per tool and twice per turn, never in a child
 * (its parent gets the answer), nor against a mode that the person chose while the turn ran.
 */
export function canEscalateToCoordinator(lack: MissingCapability, state: SessionState, { services }: EffectContext): boolean {
  const { turn, parent, mode } = state;
  if (!turn || parent || turn.modeChosen || mode === COORDINATOR || !services.modes(state.workspace).get(COORDINATOR)) return false;
  return services.settings.coordination() !== "off" && turn.coordinated.length < MAX_PER_TURN && !turn.coordinated.includes(aboutOf(lack));
}

/** Whether this turn has had all the coordination that a turn may have, so that one more lack ends it. */
export const isCoordinationExhausted = ({ turn }: SessionState): boolean => (turn?.coordinated.length ?? 0) >= MAX_PER_TURN;

/** Enters the coordinator, or asks the person whether to, as the setting says. */
export function requestCoordination(lack: MissingCapability, state: SessionState, session: EffectContext): SessionEvent[] {
  const raised: SessionEvent = { type: "coordination.raised", about: aboutOf(lack) };
  switch (session.services.settings.coordination()) {
    case "auto":
      return [raised, ...enterCoordinator(lack, state, session)];
    case "ask":
      return [raised, { type: "request.opened", request: requestOf(lack, state, session) }];
    case "off":
      return [];
  }
}

/** Whether the session can still go into the coordinator. The person may have put it there before they answered. */
export const canEnterCoordinator = ({ mode }: SessionState): boolean => mode !== COORDINATOR;

/** The session goes into the coordinator; what wanted the tool learns that. */
export function enterCoordinator(
  lack: MissingCapability,
  state: SessionState,
  session: EffectContext,
  approval = BY_SETTING,
): SessionEvent[] {
  const own = "call" in lack ? lack.call.id : undefined;
  const wanted = { to: COORDINATOR, origin: "coordination", reason: reasonOf(lack, state), ...approval } as const;
  const prompt = { id: promptIdOf(lack, state), text: promptOf(lack, state) };
  const result =
    "call" in lack ? [beyondResult(lack, state) ?? missingCapabilityResult(lack.call, state.mode, "coordination was asked for.")] : [];
  return [...result, ...modeChangeEvents({ ...wanted, prompt }, state, own, session.services.clock.now())];
}

const beyondResult = ({ call, beyond }: LackingCall, { mode }: SessionState): SessionEvent | undefined =>
  beyond === undefined
    ? undefined
    : {
        type: "tool.finished",
        callId: call.id,
        result: { outcome: "failed", text: `Not allowed: ${asSentence(beyond)} Coordination was asked for.`, end: `not in ${mode}` },
      };

/** The one result of a call for a tool that the mode lacks. */
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

const aboutOf = (lack: MissingCapability): string => ("call" in lack ? lack.call.tool : BLOCKED);

const reasonOf = (lack: MissingCapability, { mode }: SessionState): string =>
  "call" in lack ? `${mode} does not allow ${lack.call.tool}` : `blocked in ${mode}${lack.needs ? `: ${lack.needs}` : ""}`;

const promptIdOf = (lack: MissingCapability, { turn }: SessionState): PromptId =>
  `coordinate-${"call" in lack ? lack.call.id : `t${turn?.n}.${turn?.coordinated.length}`}` as PromptId;

function promptOf(lack: MissingCapability, { mode }: SessionState): string {
  const what =
    "call" in lack
      ? `The agent in mode ${mode} called ${lack.call.tool}, which that mode does not allow: ${asSentence(`${lack.call.label.verb} ${lack.call.label.object}`)}`
      : `The agent in mode ${mode} ended its turn as blocked.${lack.needs ? ` It says: ${asSentence(lack.needs)}` : ""}`;
  return `${what} Weigh what the person's work needs: put it into another mode with switch_mode, or end with coordinate_mode.`;
}

function requestOf(lack: MissingCapability, state: SessionState, session: EffectContext): Request {
  const { turn, mode, workspace } = state;
  return {
    id: requestIdOf(session.id, "call" in lack ? lack.call.id : `t${turn?.n}.blocked`),
    kind: "question",
    ...("call" in lack ? { subject: { call: lack.call.id } } : { subject: { turn: turn?.n ?? 0 }, about: "coordination" as const }),
    header: "Coordinate?",
    text: `${asSentence(reasonOf(lack, state))} Let the coordinator weigh another mode?`,
    folder: workspace,
    choices: [
      { id: "accept", label: "Let the coordinator decide", description: "A switch of mode is still asked for." },
      { id: "stay", label: `Stay in ${mode}`, description: "The agent goes on without." },
    ],
    freeText: false,
    openedAt: session.services.clock.now(),
  };
}
