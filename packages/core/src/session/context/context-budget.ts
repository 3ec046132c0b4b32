import type { KeptImage } from "../../protocol/image.ts";
import { MAX_OLD_IMAGE_BYTES } from "../../protocol/image-limits.ts";
import type { ContextFill, SessionState, Step } from "../state.ts";

/**
 * Why something of the conversation has to go: a person wants it, it nears what the model can read, its pictures are too many
 * bytes, or the provider refused it, as too large or for a picture.
 */
export type CompactionReason = "asked" | "limit" | "pictures" | "overflow" | "bad_picture";

/** Whether room has to be made before the model is asked again. After an attempt that gained nothing it is not tried again in that turn. */
export function compactionReason(state: SessionState): CompactionReason | undefined {
  if (state.compaction) return "asked";
  const { turn, step } = state;
  if (!turn || turn.full !== undefined) return undefined;
  const refused = step && refusalCause(step);
  if (refused) return refused;
  if (state.pictures > MAX_OLD_IMAGE_BYTES) return "pictures";
  const most = maxInputTokens(step?.room);
  return most !== undefined && currentContextTokens(state) > most ? "limit" : undefined;
}

/** What a step failed for that can be taken out of the conversation, so that it is asked for again. */
export function refusalCause({ phase, failure }: Step): "overflow" | "bad_picture" | undefined {
  if (phase !== "failed") return undefined;
  return failure?.code === "overflow" || failure?.code === "bad_picture" ? failure.code : undefined;
}

/** How large the conversation may grow before it is compacted: what the model reads, less what it may need to answer. */
export function maxInputTokens({ context, output }: ContextFill = {}): number | undefined {
  return context === undefined ? undefined : context - Math.min(output ?? 8_192, 20_000, Math.floor(context / 4));
}

/** The size of the conversation in tokens: what the provider counted last, and an estimate of what came since. */
export const currentContextTokens = ({ contextTokens, since }: Pick<SessionState, "contextTokens" | "since">): number =>
  contextTokens + estimateTokens(since);

/**
 * What the next request will take, in tokens, going by what the provider counted last; undefined where it has counted
 * nothing. A provider that has read from its cache in this session most likely does so again.
 */
export function nextInputTokens({ contextTokens, since, usage }: SessionState): { input: number; cachedInput: number } | undefined {
  if (contextTokens === 0) return undefined;
  return { input: currentContextTokens({ contextTokens, since }), cachedInput: usage.cachedInput > 0 ? contextTokens : 0 };
}

/** An estimate of what a picture costs, in tokens. */
export const IMAGE_TOKENS = 1_200;

export const imageBytes = (images: readonly KeptImage[] = []): number => images.reduce((sum, { bytes = 0 }) => sum + bytes, 0);

/** The same in characters, as they are counted between two answers of the model. */
export const imageCharacters = (images: readonly unknown[] = []): number => images.length * IMAGE_TOKENS * CHARACTERS_PER_TOKEN;

const CHARACTERS_PER_TOKEN = 4;

/** An estimate, in tokens, of a text of so many characters. */
export const estimateTokens = (characters: number): number => Math.ceil(characters / CHARACTERS_PER_TOKEN);
