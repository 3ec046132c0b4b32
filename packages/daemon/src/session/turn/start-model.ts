import { omitUndefined } from "@baton/core/text/omit-undefined";
import { createHash } from "node:crypto";
import type { EventOf, SessionEvent } from "@baton/core/protocol/event";
import { preferredModels } from "@baton/core/mode/next-step-model";
import type { Mode } from "@baton/core/protocol/mode";
import type { SessionState } from "@baton/core/session/state";
import type { OfferedTools } from "../../tool/offer-tools.ts";
import { offeredTools } from "./offered-tools.ts";
import type { SessionDependencies } from "../session-dependencies.ts";
import { modeInForce } from "../mode-of-step.ts";

/**
 * The event that starts the model with the mode, model and tools of this step, or the reason why it cannot start. A session
 * whose mode was deleted waits for the user, because any other mode may allow more.
 */
export function startModel(
  { step, attempt }: { step: number; attempt: number },
  state: SessionState,
  services: SessionDependencies,
): SessionEvent[] {
  const { unread } = services.modes(state.workspace);
  const mode = modeInForce(state, services, state.mode);
  if (mode) return [modelStarted({ step, attempt }, mode, state, services)];
  const fault = unread(state.mode);
  if (fault)
    return [
      modelFailed(
        step,
        `The mode ${state.mode} cannot be read: ${fault.file}:${fault.line}: ${fault.message} Fix the file, or switch to another mode.`,
      ),
    ];
  return [modelFailed(step, `The mode ${state.mode} no longer exists. Switch to another mode.`)];
}

const modelFailed = (step: number, message: string): SessionEvent => ({ type: "model.failed", step, code: "no_model", message });

function modelStarted(
  { step, attempt }: { step: number; attempt: number },
  mode: Mode,
  state: SessionState,
  services: SessionDependencies,
): SessionEvent {
  const resolved = services.models.resolve(preferredModels(state, mode));
  if ("code" in resolved) return modelFailed(step, resolved.message);
  return {
    type: "model.started",
    step,
    attempt,
    mode: mode.slug,
    model: resolved.id,
    tools: digest(offeredTools(mode, state, services, resolved.id).offered),
    ...omitUndefined({ mostSteps: mode.maxSteps }),
    ...contextLimits(resolved.id, services),
  };
}

/** The model's limits, if they are known and compaction is on. */
function contextLimits(model: string, { models, settings: { compaction } }: SessionDependencies): Pick<EventOf<"model.started">, "room"> {
  const { contextWindow, maxInput, maxOutput } = models.facts(model) ?? {};
  const context = maxInput ?? contextWindow;
  if (context === undefined || !compaction().auto) return {};
  return { room: { context, ...omitUndefined({ output: maxOutput }) } };
}

const digest = (offered: readonly OfferedTools[]): string =>
  createHash("sha256")
    .update(offered.map(({ tool }) => tool.name).join(" "))
    .digest("hex")
    .slice(0, 16);
