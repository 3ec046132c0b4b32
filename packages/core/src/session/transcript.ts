import type { CallDiagnostics, Outcome, ReplyPart, Result, ToolCall, Usage } from "../protocol/call.ts";
import type { Delivery, EventOf, Logged, ModelFault, RestoredHunk, TurnEnd } from "../protocol/event.ts";
import { isAfterCall, type HookReport, type HookRun } from "../protocol/config/hook.ts";
import type { KeptImage } from "../protocol/image.ts";
import type { CallId, PromptId } from "../protocol/ids.ts";
import type { ModeSlug, TransitionOrigin } from "../protocol/mode.ts";
import type { Actor, Answer, Request } from "../protocol/request.ts";
import type { Verdict } from "../protocol/rule.ts";
import type { Label } from "../protocol/view.ts";
import type { RetryInfo } from "../text/status-text.ts";
import { hookNote, hookReport } from "./hook-report.ts";
import { interruptedResult } from "./reduce/turn.ts";

/** `seq` is that of the event that added the entry to the conversation. For a queued prompt it is that of its receipt. */
type Placed = { seq: number };

export type PromptEntry = Placed & {
  kind: "prompt";
  /** The hooks that had something to say about it. */
  hooks?: readonly HookReport[];
  id: PromptId;
  /** The seq of its receipt. */
  receivedSeq: number;
  text: string;
  /** The slash command that `text` is expanded from. */
  slash?: string;
  delivery: Delivery;
  mode: ModeSlug;
  model?: string;
  synthetic?: string;
  /** The files that an undo restored. */
  restored?: readonly string[];
  /** Present if only this part of the one file was restored. */
  restoredHunk?: RestoredHunk;
  /** Present if the undo was redone, so the changes exist again. */
  redone?: true;
  images?: readonly KeptImage[];
  /** Text that hooks add for the model. */
  notes?: readonly string[];
  by: Actor;
  at: number;
};
export type ReplyEntry = Placed & {
  kind: "reply";
  id: string;
  step: number;
  mode: ModeSlug;
  model: string;
  /** The model of the previous reply, if this is the first reply of another one. */
  modelBefore?: string;
  /** `running` until the reply is complete. `cut`: it was never completed, and `text` is the part that was kept. */
  phase: "running" | "done" | "cut";
  attempt: number;
  text: string;
  reasoning?: string;
  parts?: readonly ReplyPart[];
  usage?: Usage;
  failure?: { code: ModelFault; message: string } & RetryInfo;
  at: number;
};
export type CallEntry = Placed & {
  kind: "call";
  /** The hooks that had something to say about it. */
  hooks?: readonly HookReport[];
  /** The hook for which the call waits. */
  waitsForHook?: string;
  id: CallId;
  tool: string;
  input?: unknown;
  raw?: string;
  providerId: string;
  label: Label;
  phase: "requested" | "waiting" | "allowed" | "running" | Outcome;
  request?: Request;
  answer?: Answer;
  answeredBy?: Actor;
  verdict?: Verdict;
  result?: Result;
  /** New errors that the call's edits caused, as a language server reports them. */
  diagnostics?: Pick<CallDiagnostics, "text" | "view">;
  at: number;
  startedAt?: number;
  endedAt?: number;
  /** The work continues in a session of its own, in the background. */
  delegated?: true;
  /** A check of the daemon after edits. It belongs to no reply. */
  isCheck?: true;
  /** Text that hooks add for the model. */
  notes?: readonly string[];
  /** The event since which models no longer read its output, and the one since which they no longer read its images. */
  prunedBy?: number;
  imagesPrunedBy?: number;
};
export type TransitionEntry = Placed & {
  kind: "transition";
  id: string;
  from: ModeSlug;
  to: ModeSlug;
  origin: TransitionOrigin;
  reason?: string;
  by: Actor;
  at: number;
};
/** `repeats`: the message repeats the failure of the reply before it. `empty`: that reply had neither text nor calls. */
export type EndEntry = Placed & { kind: "end"; id: string; reason: TurnEnd; message?: string; repeats?: true; empty?: true; at: number };
/**
 * A place where the conversation was compacted. With a summary, models read it instead of everything before the event `kept`.
 */
export type CompactionEntry = Placed & {
  kind: "compaction";
  id: string;
  summary?: string;
  kept?: number;
  /** Estimated sizes of the conversation, in tokens. */
  before?: number;
  after?: number;
  /** Only images were removed. */
  only?: "images";
  /** Why compaction failed. */
  problem?: string;
  at: number;
};
export type Entry = PromptEntry | ReplyEntry | CallEntry | TransitionEntry | CompactionEntry | EndEntry;
/** An entry before it is added. */
type New<E extends Entry = Entry> = E extends Entry ? Omit<E, "seq"> : never;

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

/**
 * Folds one event into the transcript. Folding can start at any event with no open call, so older parts can be folded
 * separately.
 */
export function foldTranscript(transcript: Transcript, event: Logged): void {
  transcript.version++;
  transcript.seq = event.seq;
  switch (event.type) {
    case "prompt.received": {
      const { promptId, text, slash, delivery, mode, model, images, synthetic, by, at } = event;
      const entry: PromptEntry = { kind: "prompt", id: promptId, seq: event.seq, receivedSeq: event.seq, text, delivery, mode, by, at };
      transcript.queued.set(promptId, {
        ...entry,
        ...(slash === undefined ? {} : { slash }),
        ...(model === undefined ? {} : { model }),
        ...(synthetic === undefined ? {} : { synthetic }),
        ...(images === undefined ? {} : { images }),
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
        add(transcript, { kind: "end", id: `end ${event.seq}`, reason: "denied", message: event.reason, at: event.at });
      return;
    case "prompt.delivered":
      for (const id of event.promptIds) {
        const queued = transcript.queued.get(id);
        if (!queued) continue;
        transcript.queued.delete(id);
        add(transcript, queued);
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
      if (event.told) add(transcript, undone(event));
      return;
    case "mode.changed": {
      const { from, to, origin, reason, by, at } = event;
      return add(transcript, {
        kind: "transition",
        id: `mode ${event.seq}`,
        from,
        to,
        origin,
        by,
        at,
        ...(reason === undefined ? {} : { reason }),
      });
    }
    case "model.started":
      return put(transcript, {
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
      return change(transcript, replyId(event.step), (entry) => (entry.kind === "reply" ? { ...entry, text: event.text } : entry));
    case "model.replied":
      change(transcript, replyId(event.step), (entry) =>
        entry.kind === "reply"
          ? {
              ...withoutFailure(entry),
              phase: "done",
              text: event.text,
              usage: event.usage,
              ...(event.reasoning === undefined ? {} : { reasoning: event.reasoning }),
              ...(event.parts === undefined ? {} : { parts: event.parts }),
            }
          : entry,
      );
      for (const call of event.calls) add(transcript, requested(call, event.at));
      return;
    case "model.failed": {
      const { code, message, retryAt, tries } = event;
      const failure = { code, message, ...(retryAt === undefined ? {} : { retryAt }), ...(tries ? { tries } : {}) };
      if (!transcript.index.has(replyId(event.step)))
        add(transcript, {
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
      return change(transcript, replyId(event.step), (entry) => (entry.kind === "reply" ? { ...entry, phase: "cut", failure } : entry));
    }
    case "context.pruned":
      return prune(transcript, event);
    case "context.compacted": {
      const { summary, kept, before, after, at, seq } = event;
      return add(transcript, { kind: "compaction", id: `compaction ${seq}`, summary, kept, before, after, at });
    }
    case "compaction.failed":
      return add(transcript, { kind: "compaction", id: `compaction ${event.seq}`, problem: event.message, at: event.at });
    case "call.received":
      return add(transcript, { ...requested(event.call, event.at), ...(event.check ? { isCheck: true as const } : {}) });
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
      closeOpen(transcript, event.at);
      return add(transcript, {
        kind: "end",
        id: `end ${event.seq}`,
        reason: event.reason,
        at: event.at,
        ...(event.message === undefined ? {} : { message: event.message }),
        ...(event.message !== undefined && event.message === failureAbove(transcript) ? { repeats: true as const } : {}),
        ...(event.reason === "completed" && isEmptyAbove(transcript) ? { empty: true as const } : {}),
      });
    case "session.rewound":
      return rewind(transcript, event.to);
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

/** The message with all results of a reply is cached with its last call, so that call becomes a new object. */
function touchLastCall({ entries }: Transcript): void {
  const at = entries.findLastIndex((entry) => entry.kind === "call" && !entry.isCheck);
  const last = entries[at];
  if (last) entries[at] = { ...last };
}

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
  change(transcript, run.about, (entry) => {
    if (entry.kind !== "call") return entry;
    const { waitsForHook: _, ...idle } = entry;
    const next: CallEntry = waiting ? { ...idle, waitsForHook: waiting.hook.name } : idle;
    return { ...withWords(next), ...(input === undefined ? {} : { input }), ...(label ? { label } : {}) };
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
function undone({ seq, at, restored, left, hunk, redo }: Logged<EventOf<"undo.finished">>): New<PromptEntry> {
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
    restored,
    ...(hunk ? { restoredHunk: hunk } : {}),
    ...(redo ? { redone: true } : {}),
    by: { daemon: true },
    at,
  };
}

/** The entry with this id, if it is in this part of the transcript. */
export function findEntry(transcript: Transcript, id: string): Entry | undefined {
  const at = transcript.index.get(id);
  return at === undefined ? undefined : transcript.entries[at];
}

export const replyId = (step: number): string => `s${step}`;

/** Removes what came after `to`. Prompts that were queued then are queued again. */
function rewind(transcript: Transcript, to: number): void {
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
function prune(transcript: Transcript, { step, only, before, after, at, seq }: Logged<EventOf<"context.pruned">>): void {
  const by = only === "images" ? "imagesPrunedBy" : "prunedBy";
  let within = false;
  for (const [i, entry] of transcript.entries.entries()) {
    if (entry.kind === "reply") within = entry.step <= step;
    if (within && entry.kind === "call" && entry[by] === undefined) transcript.entries[i] = { ...entry, [by]: seq };
  }
  add(transcript, { kind: "compaction", id: `compaction ${seq}`, before, after, at, ...(only === undefined ? {} : { only }) });
}

function unpruned({ prunedBy = 0, imagesPrunedBy = 0, ...entry }: CallEntry, to: number): CallEntry {
  return {
    ...entry,
    ...(prunedBy > 0 && prunedBy <= to ? { prunedBy } : {}),
    ...(imagesPrunedBy > 0 && imagesPrunedBy <= to ? { imagesPrunedBy } : {}),
  };
}

/** Closes what an interrupt left open, from the end back to the start of the turn. */
function closeOpen(transcript: Transcript, at: number): void {
  for (let i = transcript.entries.length - 1; i >= 0; i--) {
    const entry = transcript.entries[i];
    if (entry === undefined || entry.kind === "end") return;
    if (entry.kind === "call" && isOpen(entry))
      transcript.entries[i] = { ...entry, phase: "interrupted", result: interruptedResult(entry.phase === "running"), endedAt: at };
    if (entry.kind === "reply" && entry.phase === "running") transcript.entries[i] = { ...entry, phase: "cut" };
  }
}

export const isOpen = ({ phase }: CallEntry): boolean =>
  phase === "requested" || phase === "waiting" || phase === "allowed" || phase === "running";

function requested({ id, tool, input, raw, providerId, label }: ToolCall, at: number): New<CallEntry> {
  return { kind: "call", id, tool, providerId, label, phase: "requested", at, ...(raw === undefined ? { input } : { raw }) };
}

function withoutFailure({ failure: _, ...entry }: ReplyEntry): ReplyEntry {
  return entry;
}

function add(transcript: Transcript, entry: New): void {
  transcript.index.set(entry.id, transcript.entries.push({ ...entry, seq: transcript.seq }) - 1);
}

const put = (transcript: Transcript, entry: New): void =>
  transcript.index.has(entry.id) ? change(transcript, entry.id, ({ seq }) => ({ ...entry, seq })) : add(transcript, entry);

function change(transcript: Transcript, id: string, by: (entry: Entry) => Entry): void {
  const at = transcript.index.get(id);
  const entry = at === undefined ? undefined : transcript.entries[at];
  if (at !== undefined && entry !== undefined) transcript.entries[at] = by(entry);
}

const changeCall = (transcript: Transcript, id: CallId, fields: Partial<CallEntry>): void =>
  change(transcript, id, (entry) => (entry.kind === "call" ? { ...entry, ...fields } : entry));

/** How a client draws an entry. A call that ends the turn is drawn like a reply. */
export const entryKind = (entry: Entry): Entry["kind"] => (entry.kind === "call" && entry.result?.ends ? "reply" : entry.kind);
