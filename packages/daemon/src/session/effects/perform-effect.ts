import type { Effect, EffectOf } from "@baton/core/session/next-effects";
import { awaitChild } from "../delegation/delegate-task.ts";
import { compactConversation } from "../turn/compact-conversation.ts";
import { callModel } from "../turn/call-model.ts";
import { readDiagnostics } from "../calls/run/read-diagnostics.ts";
import { runTool } from "../calls/run/run-tool.ts";
import { resolveServerRequest } from "../servers/session-servers.ts";
import { resolveHostRequest } from "../network/resolve-host-request.ts";
import { resolveTrust } from "../workspace/trust-request.ts";
import { runHook } from "../hooks/run-hook.ts";
import { restoreFiles } from "../history/undo-changes.ts";
import type { EffectContext } from "./effect-context.ts";
import { startModel } from "../turn/start-model.ts";

/** Carries out one effect and reports its result. An expected failure is an event. A throw is a defect. */
export async function performEffect(effect: Effect, session: EffectContext, signal: AbortSignal): Promise<void> {
  switch (effect.do) {
    case "callModel":
      return callModel(effect, session, signal);
    case "compact":
      return compactConversation(effect, session, signal);
    case "runTool":
      return runTool(effect, session, signal);
    case "readDiagnostics":
      return readDiagnostics(effect, session, signal);
    case "awaitChild":
      return awaitChild(effect, session, signal);
    case "runHook":
      return runHook(effect, session, signal);
    case "restoreFiles":
      return restoreFiles(effect, session, signal);
    case "settleTrust":
      return resolveTrust(effect, session, signal);
    case "settleServer":
      return "network" in effect.request.subject
        ? resolveHostRequest(effect, session, signal)
        : resolveServerRequest(effect, session, signal);
    case "awaitRetry":
      return awaitRetry(effect, session, signal);
    case "deliver":
    case "startModel":
    case "judge":
    case "conclude":
    case "startTool":
    case "askLimit":
    case "concludeTurn":
    case "endTurn":
    case "endCoordination":
      throw new Error(`${effect.do} is decided before the commit and never performed`);
  }
}

/** Waits until the model may be asked again, and starts it. An interrupt ends the wait at once. */
async function awaitRetry(effect: EffectOf<"awaitRetry">, session: EffectContext, signal: AbortSignal): Promise<void> {
  const { clock } = session.services;
  await clock.wait(Math.max(0, effect.until - clock.now()), signal);
  await session.report(effect.key, startModel(effect, session.state, session.services));
}
