import { preferredModels } from "@baton/core/mode/next-step-model";
import type { SessionEvent } from "@baton/core/protocol/event";
import { compactionInput, factsToKeep } from "@baton/core/session/context/compaction-input";
import type { SessionEffectOf } from "@baton/core/session/next-effects";
import { currentContextTokens, maxInputTokens, estimateTokens } from "@baton/core/session/context/context-budget";
import { outputsToPrune, imagesToPrune, messageTokens, findRecentTail } from "@baton/core/session/context/prune-context";
import type { Entry } from "@baton/core/session/transcript/entry";
import { noUsage } from "@baton/core/session/usage/add-usage";
import type { Message } from "@baton/core/session/context/build-messages";
import type { ModelReply } from "../../model/model-port.ts";
import { trackPartialUsage } from "./partial-reply.ts";
import { runInBackground } from "../run-in-background.ts";
import type { EffectContext } from "../effects/effect-context.ts";

type Compact = SessionEffectOf<"compact">;

/** The size of the conversation and its maximum, in tokens. */
type Sizes = { now: number; messages: number; window: number };

/**
 * Compacts the conversation. Old images and then old outputs go first, if that suffices and the user did not ask for more.
 * Otherwise everything but the newest part is summarized. A gain below a tenth is not worth it, and the turn that needs it
 * ends.
 */
export async function compactConversation(effect: Compact, session: EffectContext, signal: AbortSignal): Promise<void> {
  const messages = await session.log.messages();
  const entries = await session.log.entries();
  const sizes = sizesOf(messages, session, effect);
  const events = await shortened(effect, entries, sizes, session, signal);
  if (!signal.aborted) await session.report(effect.key, events);
}

async function shortened(
  effect: Compact,
  entries: readonly Entry[],
  sizes: Sizes,
  session: EffectContext,
  signal: AbortSignal,
): Promise<SessionEvent[]> {
  switch (effect.reason) {
    case "asked":
      return summing(effect, entries, sizes, session, signal);
    case "limit":
    case "overflow": {
      const pruned = withoutPictures(entries, sizes, effect) ?? pruning(entries, sizes);
      return pruned ? [pruned] : summing(effect, entries, sizes, session, signal);
    }
    case "pictures":
    case "bad_picture":
      return [withoutPictures(entries, sizes, effect) ?? NOT_OURS];
  }
}

/** The refused image came with a prompt, which only the user can take back. */
const NOT_OURS: SessionEvent = {
  type: "compaction.failed",
  reason: "little",
  message: "No tool call brought an image. Rewind to before the prompt that did, and send a smaller image or choose another model.",
};

function sizesOf(messages: readonly Message[], { state }: EffectContext, { reason }: Compact): Sizes {
  const estimate = messages.reduce((sum, message) => sum + messageTokens(message), 0);
  const now = Math.max(currentContextTokens(state), estimate);
  const known = maxInputTokens(state.step?.room);
  // A provider that refuses a conversation which should fit knows its limit better.
  return { now, messages: estimate, window: reason === "overflow" ? Math.min(known ?? now, Math.floor(now * 0.8)) : (known ?? now) };
}

/**
 * Old images go first, if that shrinks the conversation by a fifth, or if the provider finds the request too large. If it
 * refuses an image it does not say which one, so all go.
 */
function withoutPictures(entries: readonly Entry[], { now }: Sizes, { reason }: Compact): SessionEvent | undefined {
  const { step, gain } = imagesToPrune(entries, reason === "bad_picture" ? "go" : reason === "overflow" ? "last" : "stay");
  if (step === 0 || (reason === "limit" && gain <= now / 5)) return undefined;
  return { type: "context.pruned", step, only: "images", before: now, after: now - gain };
}

/** Old outputs are removed if that shrinks the conversation by a fifth. */
function pruning(entries: readonly Entry[], { now, window }: Sizes): SessionEvent | undefined {
  const { step, gain } = outputsToPrune(entries, Math.min(40_000, Math.floor(window * 0.3)));
  return step > 0 && gain > now / 5 ? { type: "context.pruned", step, before: now, after: now - gain } : undefined;
}

async function summing(
  effect: Compact,
  entries: readonly Entry[],
  sizes: Sizes,
  session: EffectContext,
  signal: AbortSignal,
): Promise<SessionEvent[]> {
  const { state, services } = session;
  const counted = sinceLast(entries);
  const tail = findRecentTail(counted, Math.min(20_000, Math.floor(sizes.window / 5), Math.floor(sizes.messages / 3)));
  const began = services.clock.now();
  const old = tail ? counted.filter(({ seq }) => seq < tail.seq) : [];
  if (!tail || !old.some(({ kind }) => kind === "reply")) return tooLittle(effect, session, 0);
  const { model, usage, text } = await summed(effect, old, sizes, session, signal);
  const summary = [text, factsToKeep(entries, state.todos)].join("\n\n");
  const after = sizes.now - sizes.messages + estimateTokens(summary.length) + tail.tokens;
  if (after > sizes.now * 0.9) {
    const spent: SessionEvent[] = usage === noUsage ? [] : [{ type: "model.spent", usage }];
    return [...spent, ...tooLittle(effect, session, 1 - after / sizes.now)];
  }
  return [
    { type: "context.compacted", summary, kept: tail.seq, before: sizes.now, after, model, usage, tookMs: services.clock.now() - began },
  ];
}

/** The part that models read word for word, with the summary of everything before it. */
function sinceLast(entries: readonly Entry[]): Entry[] {
  const last = entries.findLast((entry) => entry.kind === "compaction" && entry.summary !== undefined);
  return last?.kind === "compaction" ? [last, ...entries.filter((entry) => entry !== last && entry.seq >= (last.kept ?? 0))] : [...entries];
}

type Summed = Pick<ModelReply, "text" | "usage"> & { model: string };

/** The summary of a model. Without one, the agent's own last messages, so that the work can continue. */
async function summed(
  { note }: Compact,
  old: readonly Entry[],
  { window }: Sizes,
  session: EffectContext,
  signal: AbortSignal,
): Promise<Summed> {
  const { id, state, services } = session;
  const mode = services.modes(state.workspace).get(state.mode);
  const resolved = services.models.resolve([services.settings.compaction().model, ...preferredModels(state, mode)]);
  const replies = old.flatMap((entry) => (entry.kind === "reply" && entry.text.trim() !== "" ? [entry.text.trim()] : []));
  const without = { model: "", usage: noUsage, text: `What the agent said last:\n\n${replies.slice(-5).join("\n\n").slice(-6_000)}` };
  if ("code" in resolved) return without;
  const keepNote = note === undefined ? "" : `\n\nThe user asks to keep: ${note}`;
  const [system, task] = await Promise.all([services.prompts.text("compaction"), services.prompts.text("compaction-task")]);
  const prompt = `${compactionInput(old, Math.max(4_000, window * 2))}\n\n${task}${keepNote}`;
  const { onPart, spent } = trackPartialUsage();
  const asked = resolved.model(
    {
      sessionId: id,
      step: state.step?.n ?? 1,
      purpose: "summary",
      system,
      messages: [{ role: "user", text: prompt }],
      tools: [],
      readBlob: services.store.readBlob,
    },
    onPart,
    signal,
  );
  const reply = await asked.catch((error: unknown) => {
    const usage = spent();
    if (usage) runInBackground(session.note([{ type: "model.spent", usage }]), services.report);
    throw error;
  });
  if ("failed" in reply) return { ...without, usage: spent() ?? noUsage };
  if (reply.text.trim() === "") return { ...without, usage: reply.usage };
  return { model: resolved.id, usage: reply.usage, text: reply.text.trim() };
}

/** Reports a failure to the user who asked, or ends the turn that needs it. */
function tooLittle({ reason }: Compact, { state }: EffectContext, gained: number): SessionEvent[] {
  const message =
    gained === 0
      ? "Nothing in the conversation is old enough to be summarized."
      : `A summary would make the conversation only ${Math.max(0, Math.round(gained * 100))} % shorter.`;
  const failed: SessionEvent = { type: "compaction.failed", reason: "little", message };
  if (reason === "asked" || !state.turn) return [failed];
  return [
    failed,
    { type: "turn.ended", reason: "limit", message: `${message} Start another session, or choose a model with a larger context.` },
  ];
}
