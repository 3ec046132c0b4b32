import type { SessionEvent } from "@baton/core/protocol/event";
import { MAX_ATTEMPTS, attemptCount } from "@baton/core/session/retry-policy";
import type { SessionState } from "@baton/core/session/state";
import type { Tool } from "../tool/tool-types.ts";
import { closeExternalCall } from "./calls/close-external-call.ts";

/**
 * What a daemon that died left open. A call that had begun and has no result is unknown, unless its tool only looks; a
 * model that was being asked is asked again, with the attempt counted; a background command is lost, and so is whoever a
 * server asked for in the middle of a call.
 */
export function recoverSession(state: SessionState, tools: Pick<ReadonlyMap<string, Tool>, "get">, now: number): SessionEvent[] {
  const gone = state.calls.filter(({ outside, phase }) => outside && phase !== "done" && phase !== "running").flatMap(closeExternalCall);
  const calls = state.calls
    .filter((call) => call.phase === "running" && (call.outside || !repeats(tools.get(call.tool))))
    .map((call): SessionEvent => ({
      type: "tool.finished",
      callId: call.id,
      result: { outcome: "unknown", text: UNKNOWN, end: "outcome unknown" },
    }));
  const processes = state.processes.map(({ processId }): SessionEvent => ({
    type: "process.ended",
    processId,
    exitCode: null,
    reason: "lost",
  }));
  const ofCalls = state.servers.filter(({ request }) => request.kind !== "approval");
  const questions = ofCalls.map(({ request }): SessionEvent => ({ type: "request.closed", requestId: request.id, reason: "expired" }));
  return [...gone, ...calls, ...processes, ...questions, ...modelAgain(state, now)];
}

function modelAgain({ turn, step }: SessionState, now: number): SessionEvent[] {
  if (!turn || step?.phase !== "running") return [];
  const { n, spent } = step;
  const message = "The daemon stopped while the model was answering.";
  const failed: SessionEvent =
    attemptCount(step) < MAX_ATTEMPTS
      ? { type: "model.failed", step: n, code: "daemon_stopped", message, retryAt: now }
      : { type: "model.failed", step: n, code: "daemon_stopped", message: `${message} Gave up after ${attemptCount(step)} attempts.` };
  return spent ? [{ type: "model.spent", step: n, usage: spent }, failed] : [failed];
}

/** A call that only looks is made again; one that waits for a child finds it again. */
const repeats = (tool: Tool | undefined): boolean => tool?.kind === "delegating" || (tool?.kind === "acting" && tool.replay === "safe");

const UNKNOWN =
  "Outcome unknown: the daemon stopped while this ran, so it may have been done in part, whole, or not at all. It is not run again by itself. Look at how things stand before you go on.";
