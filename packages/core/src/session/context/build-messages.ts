import { omitUndefined } from "../../text/omit-undefined.ts";
import type { AttachmentRef } from "../../protocol/attachment-ref.ts";
import type { ToolOutcome, ModelReplyPart } from "../../protocol/tool-call.ts";
import { type CallEntry, type CompactionEntry, type Entry, type ReplyEntry, isUnfinishedCall } from "../transcript/entry.ts";
import type { Transcript } from "../transcript/transcript.ts";

/** One message of the conversation for a model, in no provider's format. */
export type Message =
  /** `replies`: the message is the summary of this many replies. */
  | { role: "user"; text: string; images?: readonly AttachmentRef[]; replies?: number }
  | { role: "assistant"; text: string; calls: readonly MessageCall[]; reasoning?: ModelReasoning }
  | { role: "tool"; results: readonly MessageResult[] };
/** Parts of its own reply that a model may need to see again: its reasoning, and the order of its parts. */
export type ModelReasoning = { model: string; reasoning: string; parts?: readonly ModelReplyPart[] };
export type MessageCall = { id: string; tool: string; input: unknown };
export type MessageResult = { id: string; tool: string; outcome: ToolOutcome; text: string; images?: readonly AttachmentRef[] };

/**
 * Builds the conversation for a model. Exactly one result follows every call, even after a crash, an interrupt or a cut stream:
 * a call without a result gets a placeholder. Entries of earlier steps give the same message objects each time (`cache`), so a
 * provider can reuse its conversion and its cache.
 */
export function buildMessages(transcript: Transcript, cache: WeakMap<Entry, Message>): Message[] {
  const { entries } = transcript;
  const { from, summary } = compacted(entries);
  const messages: Message[] = summary ? [cached(cache, summary, () => summaryMessage(summary, entries.slice(0, from)))] : [];
  const ids = new Set<string>();
  for (let i = from; i < entries.length; i++) {
    const entry = entries[i];
    if (entry?.kind === "prompt") {
      messages.push(
        cached(cache, entry, () => ({
          role: "user",
          text: withNotes(entry.text, entry.notes),
          ...omitUndefined({ images: entry.images }),
        })),
      );
    } else if (entry?.kind === "reply" && entry.phase !== "running") {
      const calls = callsAfter(entries, i);
      if (entry.text === "" && calls.length === 0) continue;
      const message = cached(cache, entry, () =>
        assistant(
          entry,
          calls,
          calls.map((call) => wireId(call, ids)),
        ),
      );
      messages.push(message);
      // Messages that were sent keep their ids, even if an earlier call with the same id has been summarized since.
      const wireIds = message.role === "assistant" ? message.calls.map(({ id }) => id) : [];
      for (const id of wireIds) ids.add(id);
      const last = calls.at(-1);
      if (last) messages.push(calls.some(isUnfinishedCall) ? results(calls, wireIds) : cached(cache, last, () => results(calls, wireIds)));
    }
  }
  return messages;
}

/** The start of the part that the model reads word for word, and the summary of everything before it. */
function compacted(entries: readonly Entry[]): { from: number; summary?: CompactionEntry } {
  const summary = entries.findLast((entry) => entry.kind === "compaction" && entry.summary !== undefined);
  if (summary?.kind !== "compaction") return { from: 0 };
  return {
    from: Math.max(
      0,
      entries.findIndex(({ seq }) => seq >= (summary.kept ?? 0)),
    ),
    summary,
  };
}

const summaryMessage = ({ summary }: CompactionEntry, before: readonly Entry[]): Message => ({
  role: "user",
  text: SUMMARY + summary,
  replies: before.filter((entry) => entry.kind === "reply" && entry.phase === "done").length,
});

const SUMMARY = "The earlier conversation was long. This is its summary. Continue from it.\n\n";

/** The calls of a reply. A mode change while the model replied may come between the reply and its calls. */
function callsAfter(entries: readonly Entry[], reply: number): CallEntry[] {
  const calls: CallEntry[] = [];
  for (let i = reply + 1; i < entries.length; i++) {
    const entry = entries[i];
    if (entry?.kind === "transition") continue;
    if (entry?.kind !== "call") break;
    if (!entry.isCheck) calls.push(entry); // the output of a check that failed is a message of its own
  }
  return calls;
}

/**
 * The provider's own id, unless the provider has used it before. Then Baton's id, in characters that every provider accepts.
 */
function wireId(call: CallEntry, usedIds: Set<string>): string {
  const id = call.providerId === "" || usedIds.has(call.providerId) ? call.id.replaceAll(".", "_") : call.providerId;
  usedIds.add(id);
  return id;
}

function assistant(entry: ReplyEntry, calls: readonly CallEntry[], ids: readonly string[]): Message {
  return {
    role: "assistant",
    text: entry.text,
    calls: calls.map((call, i) => ({
      id: ids[i] ?? call.id,
      tool: call.tool,
      input: call.raw === undefined ? call.input : { [UNREAD]: call.raw },
    })),
    ...modelReasoning(entry),
  };
}

/** Providers expect an object in a call. Input that was no object returns under this name, so nothing is invented. */
const UNREAD = "unparsed_arguments";

function modelReasoning({ model, reasoning, parts }: ReplyEntry): { reasoning?: ModelReasoning } {
  if (reasoning === undefined && parts === undefined) return {};
  return { reasoning: { model, reasoning: reasoning ?? "", ...omitUndefined({ parts }) } };
}

function results(calls: readonly CallEntry[], ids: readonly string[]): Message {
  const table = tableOf(calls);
  const last = calls.findLast((call) => call.result?.child);
  return {
    role: "tool",
    results: calls.map((call, i) => ({
      id: ids[i] ?? call.id,
      tool: call.tool,
      outcome: call.result?.outcome ?? "unknown",
      ...resultText(call, call === last ? table : ""),
    })),
  };
}

/** The result of a call, as far as the model still reads it. */
function resultText(
  { result, diagnostics, notes, prunedBy, imagesPrunedBy }: CallEntry,
  table: string,
): Pick<MessageResult, "text" | "images"> {
  if (prunedBy !== undefined) return { text: PRUNED };
  const found = diagnostics === undefined ? "" : `\n\n${diagnostics.text}`;
  const text = withNotes(`${result?.text ?? "This call has no result yet."}${found}${table}`, notes);
  if (!result?.images) return { text };
  return imagesPrunedBy === undefined ? { text, images: result.images } : { text: `${text}\n${IMAGES_PRUNED}` };
}

const withNotes = (text: string, notes: readonly string[] = []): string => [text, ...notes].join("\n\n");

/** Several tasks of one reply, once all of them have ended. */
function tableOf(calls: readonly CallEntry[]): string {
  const tasks = calls.flatMap(({ result }) => result?.child ?? []);
  if (tasks.length < 2 || calls.some(isUnfinishedCall)) return "";
  const rows = tasks.map(
    ({ childId, mode, status, steps, cost }) => `| ${childId} | ${mode} | ${status} | ${steps} | $${cost.toFixed(4)} |`,
  );
  return ["\n\nAll tasks of this reply:\n| task | mode | status | steps | cost |", "| --- | --- | --- | ---: | ---: |", ...rows].join("\n");
}

const IMAGES_PRUNED =
  "[The images and files of this result are no longer sent: the conversation had become too large, or its provider refused them. Read again only what you need, and smaller.]";
const PRUNED = "[This old output was removed to save space. Call the tool again if you need it.]";

function cached(cache: WeakMap<Entry, Message>, entry: Entry, make: () => Message): Message {
  const before = cache.get(entry);
  if (before) return before;
  const message = make();
  cache.set(entry, message);
  return message;
}
