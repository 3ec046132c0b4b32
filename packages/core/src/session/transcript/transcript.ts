import { omitUndefined } from "../../text/omit-undefined.ts";
import type { HookRun } from "../../protocol/hook.ts";
import type { EventOf, LoggedEvent } from "../../protocol/event.ts";
import type { CallId, PromptId } from "../../protocol/ids.ts";
import { interruptedResult } from "../reduce/turn.ts";
import { isUnfinishedCall, type CallEntry, type Entry, type NewEntry, type PromptEntry } from "./entry.ts";

/**
 * The conversation as clients draw it. `entries` grows in place and is never copied. A changed entry is a new object, so a
 * client finds changes by identity. `seq` is that of the newest folded event, and `version` grows with every change.
 */
export type Transcript = {
  entries: Entry[];
  index: Map<string, number>;
  queued: Map<PromptId, PromptEntry>;
  /** The hooks that run. */
  hooks: Map<string, HookRun>;
  seq: number;
  version: number;
};

export const emptyTranscript = (): Transcript => ({
  entries: [],
  index: new Map(),
  queued: new Map(),
  hooks: new Map(),
  seq: 0,
  version: 0,
});

export function addEntry(transcript: Transcript, entry: NewEntry): void {
  transcript.index.set(entry.id, transcript.entries.push({ ...entry, seq: transcript.seq }) - 1);
}

export const putEntry = (transcript: Transcript, entry: NewEntry): void =>
  transcript.index.has(entry.id) ? changeEntry(transcript, entry.id, ({ seq }) => ({ ...entry, seq })) : addEntry(transcript, entry);

export function changeEntry(transcript: Transcript, id: string, by: (entry: Entry) => Entry): void {
  const at = transcript.index.get(id);
  const entry = at === undefined ? undefined : transcript.entries[at];
  if (at !== undefined && entry !== undefined) transcript.entries[at] = by(entry);
}

export const changeCall = (transcript: Transcript, id: CallId, fields: Partial<CallEntry>): void =>
  changeEntry(transcript, id, (entry) => (entry.kind === "call" ? { ...entry, ...fields } : entry));

/** The message with all results of a reply is cached with its last call, so that call becomes a new object. */
export function touchLastCall({ entries }: Transcript): void {
  const at = entries.findLastIndex((entry) => entry.kind === "call" && !entry.isCheck);
  const last = entries[at];
  if (last) entries[at] = { ...last };
}

/** Removes what came after `to`. Prompts that were queued then are queued again. */
export function rewindTranscript(transcript: Transcript, to: number): void {
  for (let last = transcript.entries.at(-1); last !== undefined && last.seq > to; last = transcript.entries.at(-1)) {
    transcript.entries.pop();
    transcript.index.delete(last.id);
    if (last.kind === "prompt" && last.receivedSeq <= to) transcript.queued.set(last.id, last);
  }
  for (const [i, entry] of transcript.entries.entries())
    if (entry.kind === "call" && Math.max(entry.prunedBy ?? 0, entry.imagesPrunedBy ?? 0) > to) transcript.entries[i] = unpruned(entry, to);
  for (const [id, { receivedSeq }] of transcript.queued) if (receivedSeq > to) transcript.queued.delete(id);
}

/** Users still see removed outputs. Models read that they are gone. */
export function markOutputsPruned(
  transcript: Transcript,
  { step, only, before, after, at, seq }: LoggedEvent<EventOf<"context.pruned">>,
): void {
  const by = only === "images" ? "imagesPrunedBy" : "prunedBy";
  let within = false;
  for (const [i, entry] of transcript.entries.entries()) {
    if (entry.kind === "reply") within = entry.step <= step;
    if (within && entry.kind === "call" && entry[by] === undefined) transcript.entries[i] = { ...entry, [by]: seq };
  }
  addEntry(transcript, { kind: "compaction", id: `compaction ${seq}`, before, after, at, ...omitUndefined({ only }) });
}

function unpruned({ prunedBy = 0, imagesPrunedBy = 0, ...entry }: CallEntry, to: number): CallEntry {
  return {
    ...entry,
    ...(prunedBy > 0 && prunedBy <= to ? { prunedBy } : {}),
    ...(imagesPrunedBy > 0 && imagesPrunedBy <= to ? { imagesPrunedBy } : {}),
  };
}

/** Closes what an interrupt left open, from the end back to the start of the turn. */
export function closeOpenEntries(transcript: Transcript, at: number): void {
  for (let i = transcript.entries.length - 1; i >= 0; i--) {
    const entry = transcript.entries[i];
    if (entry === undefined || entry.kind === "end") return;
    if (entry.kind === "call" && isUnfinishedCall(entry))
      transcript.entries[i] = { ...entry, phase: "interrupted", result: interruptedResult(entry.phase === "running"), endedAt: at };
    if (entry.kind === "reply" && entry.phase === "running") transcript.entries[i] = { ...entry, phase: "cut" };
  }
}
