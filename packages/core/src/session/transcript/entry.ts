import type { CallDiagnostics, ToolOutcome, ModelReplyPart, ToolResult, TokenUsage } from "../../protocol/tool-call.ts";
import type { PromptDelivery, ModelFault, TurnEndReason } from "../../protocol/event.ts";
import type { HookReport } from "../../protocol/hook.ts";
import type { AttachmentRef } from "../../protocol/attachment-ref.ts";
import type { CallId, PromptId } from "../../protocol/ids.ts";
import type { ModeSlug, TransitionOrigin } from "../../protocol/mode.ts";
import type { Actor, RequestAnswer, Request } from "../../protocol/request.ts";
import type { Verdict } from "../../protocol/rule.ts";
import type { CallLabel } from "../../protocol/tool-view.ts";
import type { RetryInfo } from "../../text/retry-text.ts";
import type { AppliedUndo } from "../net-file-changes.ts";

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
  delivery: PromptDelivery;
  mode: ModeSlug;
  model?: string;
  synthetic?: string;
  /** The undo or redo that this prompt reports to the agent. */
  undo?: AppliedUndo;
  images?: readonly AttachmentRef[];
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
  parts?: readonly ModelReplyPart[];
  usage?: TokenUsage;
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
  label: CallLabel;
  phase: "requested" | "waiting" | "allowed" | "running" | ToolOutcome;
  request?: Request;
  answer?: RequestAnswer;
  answeredBy?: Actor;
  verdict?: Verdict;
  result?: ToolResult;
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
export type EndEntry = Placed & {
  kind: "end";
  id: string;
  reason: TurnEndReason;
  message?: string;
  repeats?: true;
  empty?: true;
  at: number;
};
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
export type NewEntry<E extends Entry = Entry> = E extends Entry ? Omit<E, "seq"> : never;

export const isUnfinishedCall = ({ phase }: CallEntry): boolean =>
  phase === "requested" || phase === "waiting" || phase === "allowed" || phase === "running";

/** How a client draws an entry. A call that ends the turn is drawn like a reply. */
export const entryKind = (entry: Entry): Entry["kind"] => (entry.kind === "call" && entry.result?.ends ? "reply" : entry.kind);
