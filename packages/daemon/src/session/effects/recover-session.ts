import type { ToolResult } from "@baton/core/protocol/tool-call";
import type { SessionEvent } from "@baton/core/protocol/event";
import { settleOutput } from "@baton/core/text/sanitize";
import { MAX_ATTEMPTS, attemptCount } from "@baton/core/session/retry-policy";
import type { SessionState } from "@baton/core/session/state";
import type { Tool } from "../../tool/tool-types.ts";
import { closeExternalCall } from "../calls/run/close-external-call.ts";

/**
 * Closes what a killed daemon left open. A call that had started has an unknown outcome, unless its tool only reads. A running
 * request to the model is repeated, and the attempt counts. A background command is lost, and so is a server's question in the
 * middle of a call, and a connection that waited for the user. The decision of a hook that ran is unknown, and it does not run again.
 * `outputs`: the newest output of calls.
 */
export function recoverSession(
  state: SessionState,
  tools: Pick<ReadonlyMap<string, Tool>, "get">,
  now: number,
  outputs: ReadonlyMap<string, string>,
): SessionEvent[] {
  const orphanedCalls = state.calls
    .filter(({ outside, phase }) => outside && phase !== "done" && phase !== "running")
    .flatMap(closeExternalCall);
  const calls = state.calls
    .filter((call) => call.phase === "running" && (call.outside || !repeats(tools.get(call.tool))))
    .map((call): SessionEvent => ({
      type: "tool.finished",
      callId: call.id,
      result: unknownResult(outputs.get(call.id) ?? ""),
    }));
  const processes = state.processes.map(({ processId }): SessionEvent => ({
    type: "process.ended",
    processId,
    exitCode: null,
    reason: "lost",
  }));
  const hooks = state.hooks
    .filter(({ outcome }) => !outcome)
    .map(({ id }): SessionEvent => ({ type: "hook.finished", runId: id, outcome: { status: "unknown", tookMs: 0 } }));
  const ofCalls = state.servers.filter(({ request, answer }) => request.kind !== "approval" || ("network" in request.subject && !answer));
  const questions = ofCalls.map(({ request }): SessionEvent => ({ type: "request.closed", requestId: request.id, reason: "expired" }));
  return [...orphanedCalls, ...calls, ...processes, ...hooks, ...questions, ...modelAgain(state, now)];
}

function unknownResult(output: string): ToolResult {
  const printed = settleOutput(output).trim();
  if (printed === "") return { outcome: "unknown", text: UNKNOWN, end: "outcome unknown" };
  return {
    outcome: "unknown",
    text: `${UNKNOWN}\n\nThe end of its output until then:\n${printed.slice(-MAX_FOR_MODEL)}`,
    end: "outcome unknown",
    view: { type: "terminal", head: "", tail: `${printed}\n`, omittedLines: 0, exitCode: null },
  };
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

/** A read-only call runs again. A call that waits for a child finds it again. */
const repeats = (tool: Tool | undefined): boolean => tool?.kind === "delegating" || (tool?.kind === "acting" && tool.replay === "safe");

/** The characters of a lost output that the model gets. Users see all that is left. */
const MAX_FOR_MODEL = 8_000;

const UNKNOWN =
  "Outcome unknown: the daemon stopped while this ran, so it may have been done in part, completely, or not at all. Baton does not run it again. Check the current state before you continue.";
