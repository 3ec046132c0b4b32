import { omitUndefined } from "@baton/core/text/omit-undefined";
import type { SessionEvent } from "@baton/core/protocol/event";
import { callIdOf } from "@baton/core/protocol/ids";
import type { ToolCall } from "@baton/core/protocol/tool-call";
import type { Mode } from "@baton/core/protocol/mode";
import type { SessionEffectOf } from "@baton/core/session/next-effects";
import { mayFallBack, mayRetry, maxAttempts, attemptCount } from "@baton/core/session/retry-policy";
import { asSentence } from "@baton/core/text/format";
import { nextInputTokens } from "@baton/core/session/context/context-budget";
import type { Model, ModelCall, ModelFailure, ModelPart, ModelReply } from "../../model/model-port.ts";
import { normalizeCall } from "../../tool/normalize-call.ts";
import { requestSizeFailure } from "./check-request-size.ts";
import { nameSession } from "./name-session.ts";
import { runInBackground } from "../run-in-background.ts";
import type { SessionDependencies, SessionToolbox } from "../session-dependencies.ts";
import { partialReplyEvents } from "./partial-reply.ts";
import { readyServers } from "../servers/server-requests.ts";
import { readyEnvironment } from "../servers/environment-requests.ts";
import { askAboutTools } from "../servers/tool-requests.ts";
import { systemPrompt, systemPromptParts, type SystemPromptPart } from "./system-prompt.ts";
import type { EffectContext } from "../effects/effect-context.ts";
import type { OfferedTools } from "../../tool/offer-tools.ts";
import { missingAbilities } from "../coordination/coordination-prompt.ts";
import { planPath } from "../plan-path.ts";
import { environmentFacts, startEnvironmentFacts } from "./environment-prompt.ts";
import { offeredModes } from "./offered-modes.ts";
import { offeredTools } from "./offered-tools.ts";
import { readRepositoryMap } from "./read-repository-map.ts";
import { modeInForce } from "../mode-of-step.ts";

/** How often streaming text is stored, which limits what a crash can lose. */
const KEEP_MS = 2_000;

/** Asks the model for one step, shows its text as it arrives, and reports the reply or the failure. */
export async function callModel(effect: SessionEffectOf<"callModel">, session: EffectContext, signal: AbortSignal): Promise<void> {
  const { key, step, attempt } = effect;
  const { services, live } = session;
  if (step === 1 && attempt === 1) runInBackground(nameSession(session), services.report);
  const began = services.clock.now();
  let kept = began;
  let text = "";
  const onPart = (part: ModelPart) => {
    live.addPart(step, attempt, part);
    if (part.type === "text") text += part.text;
    if (services.clock.now() - kept < KEEP_MS) return;
    kept = services.clock.now();
    const usage = live.spent(step);
    if (text === "" && !usage) return;
    runInBackground(session.report(key, [{ type: "model.kept", step, text, ...omitUndefined({ usage }) }]), services.report);
  };
  try {
    await readyServers(session, signal);
    await askAboutTools(session);
    await readyEnvironment(session, signal);
    const reply = await ask(session, onPart, signal);
    if (signal.aborted) return;
    if (!("failed" in reply))
      return await session.report(key, [replyEvent(step, reply, services.tools.of(session.state), services.clock.now() - began)]);
    await session.report(key, [...partialReplyEvents(step, text, live.spent(step)), failureEvent(effect, reply.failed, session)]);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

async function ask(session: EffectContext, onPart: (part: ModelPart) => void, signal: AbortSignal): ReturnType<Model> {
  const { services, state } = session;
  const mode = modeInForce(state, services);
  if (!mode) return { failed: { code: "no_model", message: `The mode ${state.mode} no longer exists. Switch to another mode.` } };
  const resolved = services.models.resolve([state.step?.model]);
  if ("code" in resolved) return { failed: { code: "no_model", message: resolved.message } };
  const { system, offered } = await modelInput(mode, resolved.id, session);
  const request = {
    system: systemPrompt(system),
    messages: await session.log.messages(),
    tools: offered.map(({ tool }) => services.tools.schemaOf(tool)),
  };
  const tooLarge = requestSizeFailure(resolved.id, request, services.models);
  if (tooLarge) return { failed: tooLarge };
  return resolved.model(
    {
      ...request,
      sessionId: session.id,
      step: state.step?.n ?? 1,
      sampling: sampling(mode),
      expected: nextInputTokens(state),
      readBlob: services.store.readBlob,
    },
    onPart,
    signal,
  );
}

const sampling = ({ model }: Mode) => ({ temperature: model?.temperature, topP: model?.topP });

function replyEvent(step: number, { calls, ...reply }: ModelReply, tools: ReturnType<SessionToolbox["of"]>, tookMs: number): SessionEvent {
  return { type: "model.replied", step, ...reply, calls: calls.map((call, i) => toToolCall(call, step, i, tools)), tookMs };
}

function toToolCall(
  { providerId, tool, input, raw }: ModelCall,
  step: number,
  index: number,
  tools: ReturnType<SessionToolbox["of"]>,
): ToolCall {
  const call = normalizeCall({ tool, input, raw }, tools);
  const shown = "input" in call ? call.input : undefined;
  return { id: callIdOf(step, index), providerId, ...call, label: tools.get(call.tool)?.label(shown) ?? { verb: "call", object: tool } };
}

/** Decides whether the model is asked again and after how long, or which fallback model takes over. */
function failureEvent(
  { step, attempt }: SessionEffectOf<"callModel">,
  { code, message, retryAfterMs }: ModelFailure,
  { state, services }: EffectContext,
): SessionEvent {
  const now = services.clock.now();
  const made = attemptCount({ attempt, others: state.step?.others });
  const fallback = mayFallBack(code) ? nextModel(state.step?.model ?? "", services) : undefined;
  const { attempts, firstMs, longestMs } = services.settings.retries();
  const most = maxAttempts(code, { attempts, other: fallback !== undefined });
  const tooLong = (retryAfterMs ?? 0) > longestMs;
  if (mayRetry(code) && made < most && !tooLong) {
    const wait = Math.max(retryAfterMs ?? 0, backoffMs(made, firstMs, services.random));
    return { type: "model.failed", step, code, message, retryAt: now + wait, tries: { made, most } };
  }
  const late = tooLong ? ` The provider asks to wait ${Math.ceil((retryAfterMs ?? 0) / 60_000)} minutes.` : "";
  const whole = `${asSentence(message)}${late}${made > 1 ? ` Gave up after ${made} attempts.` : ""}`;
  if (fallback === undefined) return { type: "model.failed", step, code, message: whole };
  return { type: "model.failed", step, code, message: `${whole} ${fallback} continues this turn.`, retryAt: now, fallback };
}

/** The first fallback model, or the one after this one. */
function nextModel(model: string, { settings: { fallbackModels: fallbacks }, models }: SessionDependencies): string | undefined {
  const list = fallbacks().filter((id) => models.knows(id));
  return list.slice(list.indexOf(model) + 1).find((id) => id !== model);
}

/** Doubles up to a minute, with up to a quarter of jitter, so that sessions do not return all at once. */
const backoffMs = (made: number, firstMs: number, random: SessionDependencies["random"]): number =>
  Math.min(MAX_BACKOFF_MS, firstMs * 2 ** (made - 1)) * (1 + random() / 4);

const MAX_BACKOFF_MS = 60_000;

/** The input of a model before the conversation: the parts of the system prompt, and the tools. */
export async function modelInput(
  mode: Mode,
  model: string | undefined,
  session: Pick<EffectContext, "id" | "services" | "state" | "log">,
): Promise<{ system: SystemPromptPart[]; offered: OfferedTools[] }> {
  const { id, services, state } = session;
  const { offered } = offeredTools(mode, state, services, model);
  const { workspace, grants, ceilings, roots } = state;
  const rules = services.permissions.rules({ workspace, mode, grants, ceilings, roots });
  const all = services.modes(workspace).nameable(mode.slug);
  const canCoordinate = !state.parent && services.settings.coordination() !== "off";
  const system = systemPromptParts({
    mode,
    modes: offeredModes(mode, offered, rules, all),
    coordination: canCoordinate ? missingAbilities(mode, all) : undefined,
    workspace,
    folders: [
      ...environmentFacts(roots, services.places.describe(workspace), services.environments.now(workspace).tools),
      ...startEnvironmentFacts(state.surroundings),
    ],
    map: await readRepositoryMap(session),
    planFile: planPath(id),
    platform: process.platform,
    shell: services.tools.shell,
    ...(await services.prompts.forMode(workspace, mode)),
  });
  return { system, offered };
}
