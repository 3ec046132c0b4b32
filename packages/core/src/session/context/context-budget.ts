import type { AttachmentRef } from "../../protocol/attachment-ref.ts";
import { MAX_OLD_IMAGE_BYTES } from "../../protocol/image-limits.ts";
import type { TokenLimits, SessionState, ModelStep } from "../state.ts";

/**
 * Why a part of the conversation must go. `asked`: the user wants it. `limit`: it nears what the model can read. `pictures`:
 * its images are too large. `overflow` and `bad_picture`: the provider refused it, for its size or for an image.
 */
export type CompactionReason = "asked" | "limit" | "pictures" | "overflow" | "bad_picture";

/**
 * Says whether the conversation must shrink before the model is asked again. After an attempt that gained nothing, the turn
 * does not try again.
 */
export function compactionReason(state: SessionState): CompactionReason | undefined {
  if (state.compaction) return "asked";
  const { turn, step } = state;
  if (!turn || turn.full !== undefined) return undefined;
  const refused = step && refusalCause(step);
  if (refused) return refused;
  if (state.pictures > MAX_OLD_IMAGE_BYTES) return "pictures";
  const limit = maxInputTokens(step?.room);
  return limit !== undefined && currentContextTokens(state) > limit ? "limit" : undefined;
}

/** The part of the conversation that made a step fail, if removing it can help. */
export function refusalCause({ phase, failure }: ModelStep): "overflow" | "bad_picture" | undefined {
  if (phase !== "failed") return undefined;
  return failure?.code === "overflow" || failure?.code === "bad_picture" ? failure.code : undefined;
}

/** The size in tokens from which a conversation is compacted: what the model can read, less what it may need for its answer. */
export function maxInputTokens({ context, output }: TokenLimits = {}): number | undefined {
  return context === undefined ? undefined : context - Math.min(output ?? 8_192, 20_000, Math.floor(context / 4));
}

/** The size of the conversation in tokens: the provider's last count plus an estimate of what came since. */
export const currentContextTokens = ({ contextTokens, since }: Pick<SessionState, "contextTokens" | "since">): number =>
  contextTokens + estimateTokens(since);

/**
 * Estimates the next request in tokens from the provider's last count. Undefined without such a count. Assumes that a provider
 * which has read from its cache in this session does so again.
 */
export function nextInputTokens({ contextTokens, since, usage }: SessionState): { input: number; cachedInput: number } | undefined {
  if (contextTokens === 0) return undefined;
  return { input: currentContextTokens({ contextTokens, since }), cachedInput: usage.cachedInput > 0 ? contextTokens : 0 };
}

/** An estimate of the cost of one image, in tokens. */
export const IMAGE_TOKENS = 1_200;

export const imageBytes = (images: readonly AttachmentRef[] = []): number => images.reduce((sum, { bytes = 0 }) => sum + bytes, 0);

/** The same estimate in characters, the unit between two answers of the model. */
export const imageCharacters = (images: readonly unknown[] = []): number => images.length * IMAGE_TOKENS * CHARACTERS_PER_TOKEN;

const CHARACTERS_PER_TOKEN = 4;

/** Estimates the tokens of a text by its length in characters. */
export const estimateTokens = (characters: number): number => Math.ceil(characters / CHARACTERS_PER_TOKEN);
