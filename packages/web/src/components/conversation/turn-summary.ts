import { sessionFileChanges, type SessionFileChange } from "@baton/core/session/changed-files";
import type { EndEntry, Entry, PromptEntry } from "@baton/core/session/transcript/entry";

/**
 * The time, cost and changes of a turn. `tookMs` includes the time in which it waited for the user. `cost` is in US dollars, with subtasks.
 */
export type TurnSummary = {
  prompt: PromptEntry | undefined;
  tookMs: number;
  cost: number;
  calls: number;
  files: readonly Pick<SessionFileChange, "path" | "added" | "removed">[];
};

/** `entries`: those of the turn, without its end. */
export function turnSummary(entries: readonly Entry[], end: EndEntry): TurnSummary {
  const prompt = entries.find((entry): entry is PromptEntry => entry.kind === "prompt" && entry.synthetic === undefined);
  const begun = entries.find(({ kind }) => kind === "reply")?.at ?? prompt?.at ?? end.at;
  let [cost, calls] = [0, 0];
  for (const entry of entries) {
    if (entry.kind === "reply") cost += entry.usage?.cost ?? 0;
    if (entry.kind !== "call") continue;
    calls++;
    cost += entry.result?.child?.cost ?? 0;
  }
  return { prompt, tookMs: Math.max(0, end.at - begun), cost, calls, files: sessionFileChanges(entries) };
}

const MIN_SHOWN_MS = 10_000;

/** A short answer without calls needs no summary. */
export const isNotable = ({ calls, tookMs }: TurnSummary): boolean => calls > 0 || tookMs >= MIN_SHOWN_MS;
