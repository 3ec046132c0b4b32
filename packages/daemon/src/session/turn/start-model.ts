import { createHash } from "node:crypto";
import type { EventOf, SessionEvent } from "@baton/core/protocol/event";
import { preferredModels } from "@baton/core/mode/model-preference";
import type { Mode } from "@baton/core/protocol/mode";
import type { SessionState } from "@baton/core/session/state";
import type { OfferedTools } from "../../tool/offer-tools.ts";
import { offeredTools } from "./offered-tools.ts";
import type { SessionDependencies } from "../session-dependencies.ts";

/**
 * The event that says the model is being asked, with the mode, the model and the tools of this step; or why it cannot be. A
 * session whose mode does not exist any more waits for the user: any other mode may allow more.
 */
export function startModel(
  { step, attempt }: { step: number; attempt: number },
  state: SessionState,
  services: SessionDependencies,
): SessionEvent[] {
  const { get, unread } = services.modes(state.workspace);
  const mode = get(state.mode);
  if (mode) return [asked({ step, attempt }, mode, state, services)];
  const fault = unread(state.mode);
  if (fault)
    return [
      notAsked(
        step,
        `The mode ${state.mode} cannot be read: ${fault.file}:${fault.line}: ${fault.message} Mend it, or switch to another mode.`,
      ),
    ];
  return [notAsked(step, `The mode ${state.mode} does not exist any more. Switch to another mode.`)];
}

const notAsked = (step: number, message: string): SessionEvent => ({ type: "model.failed", step, code: "no_model", message });

function asked(
  { step, attempt }: { step: number; attempt: number },
  mode: Mode,
  state: SessionState,
  services: SessionDependencies,
): SessionEvent {
  const resolved = services.models.resolve(preferredModels(state, mode));
  if ("code" in resolved) return notAsked(step, resolved.message);
  return {
    type: "model.started",
    step,
    attempt,
    mode: mode.slug,
    model: resolved.id,
    tools: digest(offeredTools(mode, state, services, resolved.id).offered),
    ...(mode.maxSteps === undefined ? {} : { mostSteps: mode.maxSteps }),
    ...roomOf(resolved.id, services),
  };
}

/** What the model can read and say, where that is known and conversations are kept within it. */
function roomOf(model: string, { models, settings: { compaction } }: SessionDependencies): Pick<EventOf<"model.started">, "room"> {
  const { contextWindow, maxInput, maxOutput } = models.facts(model) ?? {};
  const context = maxInput ?? contextWindow;
  if (context === undefined || !compaction().auto) return {};
  return { room: { context, ...(maxOutput === undefined ? {} : { output: maxOutput }) } };
}

const digest = (offered: readonly OfferedTools[]): string =>
  createHash("sha256")
    .update(offered.map(({ tool }) => tool.name).join(" "))
    .digest("hex")
    .slice(0, 16);
