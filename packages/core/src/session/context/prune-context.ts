import type { Message } from "./build-messages.ts";
import { IMAGE_TOKENS, estimateTokens } from "./context-budget.ts";
import type { Entry } from "../transcript/entry.ts";

/** Estimates the size of a message, in tokens. */
export function messageTokens(message: Message): number {
  switch (message.role) {
    case "user":
      return estimateTokens(message.text.length) + imagesIn(message);
    case "assistant":
      return estimateTokens(message.text.length + (message.reasoning?.reasoning.length ?? 0) + JSON.stringify(message.calls).length);
    case "tool":
      return message.results.reduce((sum, result) => sum + estimateTokens(result.text.length) + imagesIn(result), 0);
  }
}

const imagesIn = ({ images = [] }: { images?: readonly unknown[] | undefined }): number => images.length * IMAGE_TOKENS;

/** The tokens that an entry adds to the conversation. */
function sizeOfEntry(entry: Entry): number {
  switch (entry.kind) {
    case "prompt":
      return estimateTokens(entry.text.length) + imagesIn(entry);
    case "reply":
      return estimateTokens(entry.text.length + (entry.reasoning?.length ?? 0));
    case "call":
      return estimateTokens(JSON.stringify(entry.input ?? entry.raw ?? "").length) + outputTokens(entry);
    case "transition":
    case "compaction":
    case "end":
      return 0;
  }
}

const outputTokens = (entry: Entry): number =>
  entry.kind === "call" && entry.prunedBy === undefined ? estimateTokens(entry.result?.text.length ?? 0) + imageTokens(entry) : 0;

/** The tokens of the images of a result that are still sent. */
const imageTokens = (entry: Entry): number =>
  entry.kind === "call" && entry.prunedBy === undefined && entry.imagesPrunedBy === undefined ? imagesIn(entry.result ?? {}) : 0;

/**
 * The last step whose outputs are old, and their tokens. The newest step's outputs stay, and of earlier steps the newest `keep`
 * tokens. Step 0 if none is old.
 */
export function outputsToPrune(entries: readonly Entry[], keep: number): { step: number; gain: number } {
  let kept = 0;
  let old = { step: 0, gain: 0 };
  for (const { step, size: output } of stepSizes(entries, outputTokens).toReversed().slice(1)) {
    if (old.step > 0) old = { ...old, gain: old.gain + output };
    else if (kept + output > keep) old = { step, gain: output };
    else kept += output;
  }
  return old;
}

/**
 * The last step whose images are to be removed, and their tokens. Images of the newest step stay, or go if there are no others
 * (`last`), or go with all others. Step 0 if there is nothing to remove.
 */
export function imagesToPrune(entries: readonly Entry[], newest: "stay" | "last" | "go"): { step: number; gain: number } {
  const whole = entries.filter((entry) => entry.kind !== "reply" || entry.phase === "done"); // a refused step does not count as newer
  const steps = stepSizes(whole, imageTokens);
  const seen = steps.filter(({ size }) => size > 0);
  const before = seen.filter((step) => step !== steps.at(-1));
  const old = newest === "go" || (newest === "last" && before.length === 0) ? seen : before;
  return { step: old.at(-1)?.step ?? 0, gain: old.reduce((sum, { size }) => sum + size, 0) };
}

function stepSizes(entries: readonly Entry[], sizeIn: (entry: Entry) => number): { step: number; size: number }[] {
  const steps: { step: number; size: number }[] = [];
  for (const entry of entries) {
    if (entry.kind === "reply") steps.push({ step: entry.step, size: 0 });
    const last = steps.at(-1);
    if (last) last.size += sizeIn(entry);
  }
  return steps;
}

/**
 * The event from which the conversation stays word for word: the newest whole steps and prompts of at most `keep` tokens, and
 * at least the newest one. Undefined if there is nothing before it.
 */
export function findRecentTail(entries: readonly Entry[], keep: number): { seq: number; tokens: number } | undefined {
  let tail: { seq: number; tokens: number } | undefined;
  let tokens = 0;
  let at = entries.length;
  for (const [i, entry] of [...entries.entries()].toReversed()) {
    tokens += sizeOfEntry(entry);
    if (entry.kind !== "reply" && entry.kind !== "prompt") continue;
    if (tail && tokens > keep) break;
    tail = { seq: entry.seq, tokens };
    at = i;
  }
  return at > 0 ? tail : undefined;
}
