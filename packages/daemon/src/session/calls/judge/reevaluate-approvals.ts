import type { SessionEvent } from "@baton/core/protocol/event";
import type { Call, SessionState } from "@baton/core/session/state";
import { checkSessionCall, deniedResult, writesFiles } from "./judge-call.ts";
import { closeAnsweredServerRequests } from "../../servers/server-requests.ts";
import { closeAnsweredEnvironmentRequests } from "../../servers/environment-requests.ts";
import { closeAnsweredToolRequests } from "../../servers/tool-requests.ts";
import { closeAnsweredHookRequests } from "../../hooks/hook-requests.ts";
import { closeJudgedHostRequests } from "../../network/host-requests.ts";
import { closeTrustRequest } from "../../workspace/trust-request.ts";
import type { EffectContext } from "../../effects/effect-context.ts";

/**
 * The open approvals that current rules answer: allowed by a new grant, denied by a stricter rule, or a question of trust that
 * was answered elsewhere.
 */
export async function reevaluateApprovals(session: EffectContext, state: SessionState): Promise<SessionEvent[]> {
  const calls = state.calls.flatMap((call): SessionEvent[] => {
    if (call.phase !== "waiting" || call.request?.kind !== "approval") return [];
    const checked = checkSessionCall(call, state, session);
    // After a restart servers may not be ready and a file may be broken. A request is judged only by what is known.
    if ("result" in checked && isUnknown(call, state, session)) return [];
    if ("result" in checked) return [{ type: "tool.finished", callId: call.id, result: checked.result }];
    const { verdict } = checked;
    switch (verdict.effect) {
      case "allow":
        return [
          { type: "request.closed", requestId: call.request.id, reason: "granted" },
          { type: "tool.allowed", callId: call.id, verdict, writes: writesFiles(verdict) },
        ];
      case "deny":
        return [{ type: "tool.finished", callId: call.id, result: deniedResult(verdict) }];
      case "ask":
        return [];
    }
  });
  return [
    ...closeTrustRequest(state, session),
    ...closeAnsweredHookRequests(state, session),
    ...closeAnsweredToolRequests(state, session),
    ...closeAnsweredEnvironmentRequests(state, session),
    ...closeAnsweredServerRequests(state, session),
    ...closeJudgedHostRequests(state, session),
    ...calls,
  ];
}

/** Whether the effect of the call is unknown, because its tool or its mode is missing. */
const isUnknown = (call: Call, state: SessionState, { services }: EffectContext): boolean =>
  services.modes(state.workspace).get(state.step?.mode ?? state.mode) === undefined ||
  services.tools.of(state).get(call.tool) === undefined;
