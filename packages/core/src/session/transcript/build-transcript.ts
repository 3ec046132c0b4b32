import { omitUndefined } from "../../text/omit-undefined.ts";
import type { ToolCall } from "../../protocol/tool-call.ts";
import { isAfterCall } from "../../protocol/hook.ts";
import type { EventOf, LoggedEvent } from "../../protocol/event.ts";
import type { CallId, PromptId } from "../../protocol/ids.ts";
import { hookNote, hookReport } from "../hook-report.ts";
import type { CallEntry, NewEntry, PromptEntry, ReplyEntry } from "./entry.ts";
import {
  addEntry,
  changeEntry,
  changeCall,
  closeOpenEntries,
  emptyTranscript,
  markOutputsPruned,
  putEntry,
  rewindTranscript,
  touchLastCall,
  type Transcript,
} from "./transcript.ts";

/** The transcript of these events. */
export function transcriptOf(events: readonly LoggedEvent[]): Transcript {
  const transcript = emptyTranscript();
  for (const event of events) foldTranscript(transcript, event);
  return transcript;
}

/**
 * Folds one event into the transcript. Folding can start at any event with no open call, so older parts can be folded
 * separately.
 */
export function foldTranscript(transcript: Transcript, event: LoggedEvent): void {
  transcript.version++;
  transcript.seq = event.seq;
  switch (event.type) {
    case "prompt.received": {
      const { promptId, text, slash, delivery, mode, model, images, synthetic, by, at } = event;
      const entry: PromptEntry = { kind: "prompt", id: promptId, seq: event.seq, receivedSeq: event.seq, text, delivery, mode, by, at };
      transcript.queued.set(promptId, {
        ...entry,
        ...omitUndefined({ slash, model, synthetic, images }),
      });
      return;
    }
    case "prompt.edited": {
      const queued = transcript.queued.get(event.promptId);
      if (queued) transcript.queued.set(event.promptId, { ...queued, text: event.text });
      return;
    }
    case "prompt.withdrawn":
      transcript.queued.delete(event.promptId);
      if (event.reason !== undefined)
        addEntry(transcript, { kind: "end", id: `end ${event.seq}`, reason: "denied", message: event.reason, at: event.at });
      return;
    case "prompt.delivered":
      for (const id of event.promptIds) {
        const queued = transcript.queued.get(id);
        if (!queued) continue;
        transcript.queued.delete(id);
        addEntry(transcript, queued);
      }
      return;
    case "child.started":
      return changeCall(transcript, event.child.callId, { delegated: true });
    case "compaction.wanted":
    case "coordination.raised":
    case "child.spent":
    case "child.ended":
    case "trust.settled":
    case "root.added":
    case "root.removed":
    case "server.settled":
    case "toolset.changed":
    case "file.kept":
    case "file.changed":
    case "undo.started":
      return;
    case "hook.started":
      transcript.hooks.set(event.run.id, event.run);
      return event.run.async ? undefined : changeCall(transcript, event.run.about as CallId, { waitsForHook: event.run.hook.name });
    case "hook.finished":
      return hookFinished(transcript, event);
    case "undo.finished":
      if (event.told) addEntry(transcript, undone(event));
      return;
    case "mode.changed": {
      const { from, to, origin, reason, by, at } = event;
      return addEntry(transcript, {
        kind: "transition",
        id: `mode ${event.seq}`,
        from,
        to,
        origin,
        by,
        at,
        ...omitUndefined({ reason }),
      });
    }
    case "model.started":
      return putEntry(transcript, {
        kind: "reply",
        id: replyId(event.step),
        step: event.step,
        mode: event.mode,
        model: event.model,
        phase: "running",
        attempt: event.attempt,
        text: "",
        at: event.at,
        ...modelBefore(transcript, event),
      });
    case "model.kept":
      return changeEntry(transcript, replyId(event.step), (entry) => (entry.kind === "reply" ? { ...entry, text: event.text } : entry));
    case "model.replied":
      changeEntry(transcript, replyId(event.step), (entry) =>
        entry.kind === "reply"
          ? {
              ...withoutFailure(entry),
              phase: "done",
              text: event.text,
              usage: event.usage,
              ...omitUndefined({ reasoning: event.reasoning, parts: event.parts }),
            }
          : entry,
      );
      for (const call of event.calls) addEntry(transcript, requested(call, event.at));
      return;
    case "model.failed": {
      const { code, message, retryAt, tries } = event;
      const failure = { code, message, ...omitUndefined({ retryAt, tries }) };
      if (!transcript.index.has(replyId(event.step)))
        addEntry(transcript, {
          kind: "reply",
          id: replyId(event.step),
          step: event.step,
          mode: "",
          model: "",
          phase: "cut",
          attempt: 0,
          text: "",
          at: event.at,
        });
      return changeEntry(transcript, replyId(event.step), (entry) =>
        entry.kind === "reply" ? { ...entry, phase: "cut", failure } : entry,
      );
    }
    case "context.pruned":
      return markOutputsPruned(transcript, event);
    case "context.compacted": {
      const { summary, kept, before, after, at, seq } = event;
      return addEntry(transcript, { kind: "compaction", id: `compaction ${seq}`, summary, kept, before, after, at });
    }
    case "compaction.failed":
      return addEntry(transcript, { kind: "compaction", id: `compaction ${event.seq}`, problem: event.message, at: event.at });
    case "call.received":
      return addEntry(transcript, { ...requested(event.call, event.at), ...(event.check ? { isCheck: true as const } : {}) });
    case "request.opened": {
      const { request } = event;
      if (!("call" in request.subject)) return;
      return changeCall(transcript, request.subject.call, { phase: "waiting", request });
    }
    case "request.answered": {
      const call = transcript.entries.findLast((entry) => entry.kind === "call" && entry.request?.id === event.requestId);
      return call ? changeCall(transcript, call.id as CallId, { answer: event.answer, answeredBy: event.by }) : undefined;
    }
    case "tool.allowed":
      return changeCall(transcript, event.callId, { phase: "allowed", verdict: event.verdict });
    case "tool.started":
      return changeCall(transcript, event.callId, { phase: "running", startedAt: event.at });
    case "tool.finished":
      return changeCall(transcript, event.callId, { phase: event.result.outcome, result: event.result, endedAt: event.at });
    case "diagnostics.reported":
      for (const { callId, text, view } of event.calls) changeCall(transcript, callId, { diagnostics: { text, view } });
      return touchLastCall(transcript);
    case "turn.ended":
      closeOpenEntries(transcript, event.at);
      return addEntry(transcript, {
        kind: "end",
        id: `end ${event.seq}`,
        reason: event.reason,
        at: event.at,
        ...omitUndefined({ message: event.message }),
        ...(event.message !== undefined && event.message === failureAbove(transcript) ? { repeats: true as const } : {}),
        ...(event.reason === "completed" && isEmptyAbove(transcript) ? { empty: true as const } : {}),
      });
    case "session.rewound":
      return rewindTranscript(transcript, event.to);
    case "model.spent":
    case "session.created":
    case "session.renamed":
    case "session.archived":
    case "queue.resumed":
    case "model.chosen":
    case "limit.changed":
    case "limit.raised":
    case "request.closed":
    case "grant.given":
    case "grant.revoked":
    case "todos.changed":
    case "variables.changed":
    case "process.started":
    case "process.ended":
    case "sandbox.exceeded":
      return;
  }
}

const replyId = (step: number): string => `s${step}`;

/** Adds the words of a hook to the call or the queued prompt that it ran for. */
function hookFinished(transcript: Transcript, { runId, outcome }: EventOf<"hook.finished">): void {
  const run = transcript.hooks.get(runId);
  transcript.hooks.delete(runId);
  if (!run || run.async) return;
  const isInResult = outcome.decision === "deny" && !isAfterCall(run.event); // the denial of a call has the words of its hook
  const report = isInResult ? undefined : hookReport(run, outcome);
  const note = hookNote(run, outcome);
  const waiting = [...transcript.hooks.values()].find(({ about }) => about === run.about);
  const withWords = <E extends PromptEntry | CallEntry>(entry: E): E => ({
    ...entry,
    ...(note === undefined ? {} : { notes: [...(entry.notes ?? []), note] }),
    ...(report ? { hooks: [...(entry.hooks ?? []), report] } : {}),
  });
  const queued = transcript.queued.get(run.about as PromptId);
  if (queued) transcript.queued.set(queued.id, withWords(queued));
  const { input, label } = outcome;
  changeEntry(transcript, run.about, (entry) => {
    if (entry.kind !== "call") return entry;
    const { waitsForHook: _, ...idle } = entry;
    const next: CallEntry = waiting ? { ...idle, waitsForHook: waiting.hook.name } : idle;
    return { ...withWords(next), ...omitUndefined({ input, label }) };
  });
}

/** The failure of the reply directly above. A turn that ends for this reason need not repeat it. */
function failureAbove({ entries }: Transcript): string | undefined {
  const above = entries.at(-1);
  return above?.kind === "reply" ? above.failure?.message : undefined;
}

function isEmptyAbove({ entries }: Transcript): boolean {
  const above = entries.at(-1);
  return above?.kind === "reply" && above.phase === "done" && above.text.trim() === "";
}

/** Shows when another model continues, whatever the reason. */
function modelBefore({ entries }: Transcript, { model }: EventOf<"model.started">): { modelBefore?: string } {
  const before = entries.findLast((entry) => entry.kind === "reply" && entry.model !== "");
  if (before?.kind !== "reply" || before.model === model)
    return before?.kind === "reply" && before.phase !== "done" ? keptBefore(before) : {};
  return { modelBefore: before.model };
}

const keptBefore = ({ modelBefore: before }: ReplyEntry): { modelBefore?: string } => (before === undefined ? {} : { modelBefore: before });

/** The message that tells the agent about an undo. */
function undone({ seq, at, since, restored, left, hunk, redo }: LoggedEvent<EventOf<"undo.finished">>): NewEntry<PromptEntry> {
  const changes = hunk ? "some of the changes to this file" : "changes to these files";
  const what = redo ? `The user restored ${changes} that had been undone` : `The user undid ${changes}`;
  const unchangedText = left.length === 0 ? "" : ` Unchanged: ${left.map(({ path }) => path).join(", ")}.`;
  return {
    kind: "prompt",
    id: `undo-${seq}` as PromptId,
    receivedSeq: seq,
    text: `${what}: ${restored.join(", ") || "none"}.${unchangedText} Read ${hunk ? "it" : "them"} again before you rely on ${hunk ? "it" : "them"}.`,
    delivery: "steer",
    mode: "",
    synthetic: "undo",
    undo: { restored, since, hunk, redo },
    by: { daemon: true },
    at,
  };
}

function requested({ id, tool, input, raw, providerId, label }: ToolCall, at: number): NewEntry<CallEntry> {
  return { kind: "call", id, tool, providerId, label, phase: "requested", at, ...(raw === undefined ? { input } : { raw }) };
}

function withoutFailure({ failure: _, ...entry }: ReplyEntry): ReplyEntry {
  return entry;
}
