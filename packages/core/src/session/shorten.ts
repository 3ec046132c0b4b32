import type { Message } from "./messages.ts";
import { tokensIn } from "./room.ts";
import type { Entry } from "./transcript.ts";

/** An estimate of a message's size, in tokens. */
export function sizeOf(message: Message): number {
  switch (message.role) {
    case "user":
      return tokensIn(message.text.length) + (message.images?.length ?? 0) * PICTURE;
    case "assistant":
      return tokensIn(message.text.length + (message.kept?.reasoning.length ?? 0) + JSON.stringify(message.calls).length);
    case "tool":
      return tokensIn(message.results.reduce((sum, { text }) => sum + text.length, 0));
  }
}

/** What a picture costs, about. */
const PICTURE = 1_200;

/** What an entry brings into the conversation, in tokens. */
function sizeOfEntry(entry: Entry): number {
  switch (entry.kind) {
    case "prompt":
      return tokensIn(entry.text.length) + (entry.images?.length ?? 0) * PICTURE;
    case "reply":
      return tokensIn(entry.text.length + (entry.reasoning?.length ?? 0));
    case "call":
      return tokensIn(JSON.stringify(entry.input ?? entry.raw ?? "").length) + outputOf(entry);
    case "transition":
    case "compaction":
    case "end":
      return 0;
  }
}

const outputOf = (entry: Entry): number =>
  entry.kind === "call" && entry.prunedBy === undefined ? tokensIn(entry.result?.text.length ?? 0) : 0;

/**
 * Up to which step outputs are old, and how many tokens they have: the newest step's stay, and of those before it the newest
 * `keep` tokens. Step 0 where none is old.
 */
export function oldOutputs(entries: readonly Entry[], keep: number): { step: number; gain: number } {
  let kept = 0;
  let old = { step: 0, gain: 0 };
  for (const { step, output } of stepsOf(entries).toReversed().slice(1)) {
    if (old.step > 0) old = { ...old, gain: old.gain + output };
    else if (kept + output > keep) old = { step, gain: output };
    else kept += output;
  }
  return old;
}

function stepsOf(entries: readonly Entry[]): { step: number; output: number }[] {
  const steps: { step: number; output: number }[] = [];
  for (const entry of entries) {
    if (entry.kind === "reply") steps.push({ step: entry.step, output: 0 });
    const last = steps.at(-1);
    if (last) last.output += outputOf(entry);
  }
  return steps;
}

/**
 * The event from which the conversation stays word for word: the newest whole steps and prompts of at most `keep` tokens,
 * and the newest of them in any case. Undefined where that is all there is.
 */
export function tailFrom(entries: readonly Entry[], keep: number): { seq: number; tokens: number } | undefined {
  let tail: { seq: number; tokens: number } | undefined;
  let tokens = 0;
  let at = entries.length;
  for (const [i, entry] of [...entries.entries()].toReversed()) {
    tokens += sizeOfEntry(entry);
    if (entry.kind !== "reply" && entry.kind !== "prompt") continue;
    if (tail && tokens > keep) break;
    [tail, at] = [{ seq: entry.seq, tokens }, i];
  }
  return at > 0 ? tail : undefined;
}
