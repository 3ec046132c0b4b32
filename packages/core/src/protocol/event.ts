import * as z from "zod";
import { defineEvent as event } from "./define-event.ts";
import { CallDiagnostics, CheckOrigin, ChildStatus, ModelReplyPart, ToolResult, Todo, ToolCall, TokenUsage } from "./tool-call.ts";
import { SharedTaskVariables } from "./shared-task-variables.ts";
import { AttachmentRef } from "./attachment-ref.ts";
import { HookOutcome, HookRun } from "./hook.ts";
import { CallId, PromptId, RequestId, SessionId } from "./ids.ts";
import { ModeSlug, TransitionOrigin } from "./mode.ts";
import { Actor, RequestAnswer, Request } from "./request.ts";
import { Grant, SourcedRule, Verdict } from "./rule.ts";
import { EnvironmentContext } from "./environment-context.ts";
import { Toolset } from "./toolset/toolset-profile.ts";

export const PromptDelivery = z.enum(["queue", "steer"]);
export type PromptDelivery = z.infer<typeof PromptDelivery>;

export const TurnEndReason = z.enum(["completed", "stopped", "blocked", "failed", "limit", "denied"]);
export type TurnEndReason = z.infer<typeof TurnEndReason>;

export const ModelFault = z.enum([
  "no_model",
  "unauthorized",
  "bad_request",
  "not_found",
  "overflow",
  "bad_picture",
  "rate_limited",
  "overloaded",
  "unreachable",
  "cut",
  "timeout",
  "malformed",
  "daemon_stopped",
]);
export type ModelFault = z.infer<typeof ModelFault>;

/** The priority of a delegated task, and the time that its parent expects it to take. */
export const TaskSchedule = z.object({
  priority: z.enum(["low", "medium", "high", "urgent"]),
  estimatedMinutes: z.number().positive().optional(),
});
export type TaskSchedule = z.infer<typeof TaskSchedule>;

/** Work for a session of its own. `after`: the children that must end first. */
export const DelegatedTask = TaskSchedule.extend({
  childId: SessionId,
  callId: CallId,
  mode: ModeSlug,
  prompt: z.string(),
  todos: z.array(Todo),
  after: z.array(z.string()),
  /** The place in which the task works, and its folder. Absent: the workspace of the parent. */
  place: z.object({ name: z.string(), workspace: z.string() }).optional(),
});
export type DelegatedTask = z.infer<typeof DelegatedTask>;

/** The permission bits of a file. */
const FileMode = z.number().int().min(0).max(0o7777);

/** A file to restore. `to`: the hash of the new content, null to delete the file. `expect`: the content that it must have now, if known. */
export const FileRestore = z.object({
  path: z.string(),
  to: z.string().nullable(),
  expect: z.string().nullable().optional(),
  mode: FileMode.optional(),
  /** The content and the permission bits when the undo began. A redo restores them. */
  was: z.string().nullable().optional(),
  wasMode: FileMode.optional(),
});
export type FileRestore = z.infer<typeof FileRestore>;

/** The changed lines of one hunk that was taken back. The rest of the file keeps its changes. */
export const RestoredHunk = z.object({ added: z.number().int(), removed: z.number().int() });
export type RestoredHunk = z.infer<typeof RestoredHunk>;

/** A folder besides the workspace in which a session may work. `readOnly`: it may only read there. */
export const AdditionalRoot = z.object({ path: z.string(), readOnly: z.boolean() });
export type AdditionalRoot = z.infer<typeof AdditionalRoot>;

/** A tool of an MCP server as the user approved it. */
export const ApprovedTool = z.object({ hash: z.string(), description: z.string() });
export type ApprovedTool = z.infer<typeof ApprovedTool>;

export const LimitKind = z.enum(["steps", "time", "cost", "output", "day"]);
export type LimitKind = z.infer<typeof LimitKind>;

/** The limits before a session asks: US dollars in total, milliseconds of work per turn, characters of results per turn. */
export const Limits = z.object({
  cost: z.number().positive().optional(),
  timeMs: z.number().positive().optional(),
  output: z.number().positive().optional(),
});
export type Limits = z.infer<typeof Limits>;

/** All events of a session. A new fact is a member here and a case in `reduce.ts`. */
export const SessionEvent = z.discriminatedUnion("type", [
  event("session.created", {
    workspace: z.string(),
    mode: ModeSlug,
    model: z.string().optional(),
    stepLimit: z.number().int().positive(),
    limits: Limits.optional(),
    /** `lineage`: a digest of every task from the first delegated one to this one. It gives the depth and detects repetition. */
    parent: z
      .object({ sessionId: SessionId, callId: CallId, lineage: z.array(z.string()).optional(), task: TaskSchedule.optional() })
      .optional(),
    /** Limits of the parent's mode. They apply in every mode of the child. */
    ceilings: z.array(SourcedRule).optional(),
    /** The session has no conversation. It records the calls that other agents make through this profile of the endpoint. */
    endpoint: z.string().optional(),
    /** Variables that the parent's earlier tasks handed over. */
    variables: SharedTaskVariables.optional(),
    /** This session repeats that session up to `seq`. */
    forkedFrom: z.object({ sessionId: SessionId, seq: z.number().int() }).optional(),
    /** The machine whose disk the session works on. Events of early versions lack it. */
    machine: z.object({ id: z.string(), name: z.string() }).optional(),
    surroundings: EnvironmentContext.optional(),
    by: Actor,
  }),
  /** `usage`: what the model used to find the title. */
  event("session.renamed", { title: z.string(), usage: TokenUsage.optional() }),
  event("session.archived", { archived: z.boolean() }),
  /** Events after `to` no longer apply. Steps and turns continue to count, so that ids stay unique. */
  event("session.rewound", { to: z.number().int().nonnegative(), step: z.number().int(), turn: z.number().int(), by: Actor }),
  event("prompt.received", {
    promptId: PromptId,
    text: z.string(),
    /** The slash command that the user typed, if `text` is what it expands to. */
    slash: z.string().optional(),
    delivery: PromptDelivery,
    mode: ModeSlug,
    /** The mode that the user requests for this prompt, if the session switches only when the prompt is delivered. */
    switchTo: ModeSlug.optional(),
    model: z.string().optional(),
    images: z.array(AttachmentRef).optional(),
    /** Absent for a user's own prompt. Otherwise the part of the daemon that wrote it. */
    synthetic: z.string().optional(),
    by: Actor,
  }),
  event("prompt.edited", { promptId: PromptId, text: z.string() }),
  /** `reason`: a hook refused the prompt while a turn ran. */
  event("prompt.withdrawn", { promptId: PromptId, reason: z.string().optional() }),
  event("prompt.delivered", { promptIds: z.array(PromptId) }),
  event("queue.resumed", { by: Actor }),
  /** A folder that the session may use besides its workspace. The same folder again replaces the entry. */
  event("root.added", { root: AdditionalRoot, by: Actor }),
  event("root.removed", { path: z.string(), by: Actor }),
  event("mode.changed", {
    from: ModeSlug,
    to: ModeSlug,
    origin: TransitionOrigin,
    reason: z.string().optional(),
    requestId: RequestId.optional(),
    /** The file that the user was looking at. */
    file: z.string().optional(),
    by: Actor,
    tookMs: z.number(),
  }),
  /** The mode lacked something: a tool by its name, or `blocked`. The coordinator or the user decides whether to switch. */
  event("coordination.raised", { about: z.string() }),
  event("model.chosen", { model: z.string(), by: Actor }),
  event("limit.changed", { stepLimit: z.number().int().positive() }),
  /** `mostSteps`: the number of steps that a turn may take in this mode before it asks. */
  event("model.started", {
    step: z.number().int(),
    attempt: z.number().int(),
    mode: ModeSlug,
    model: z.string(),
    tools: z.string(),
    mostSteps: z.number().int().positive().optional(),
    /** The model's context and output limits in tokens, as far as they are known and the conversation has to fit. */
    room: z.object({ context: z.number().optional(), output: z.number().optional() }).optional(),
  }),
  /** The text and usage of a running step so far. It survives a crash of the daemon before the reply ends. */
  event("model.kept", { step: z.number().int(), text: z.string(), usage: TokenUsage.optional() }),
  /** The usage of an interrupted reply. Without `step` it was a summary or a title. */
  event("model.spent", { step: z.number().int().optional(), usage: TokenUsage }),
  event("model.replied", {
    step: z.number().int(),
    text: z.string(),
    reasoning: z.string().optional(),
    /** Present if the provider wants more of its reply back than text and calls. */
    parts: z.array(ModelReplyPart).optional(),
    calls: z.array(ToolCall),
    usage: TokenUsage,
    finish: z.string(),
    tookMs: z.number(),
  }),
  event("model.failed", {
    step: z.number().int(),
    code: ModelFault,
    message: z.string(),
    retryAt: z.number().optional(),
    /** The number of calls of this model in this step, and the maximum. */
    tries: z.object({ made: z.number().int(), most: z.number().int() }).optional(),
    fallback: z.string().optional(),
  }),
  /** The user asked for compaction. `note`: what to keep. */
  event("compaction.wanted", { note: z.string().optional(), by: Actor }),
  /** The model no longer receives outputs of calls up to this step, or only not their images. Sizes are estimates in tokens of the conversation. */
  event("context.pruned", { step: z.number().int(), only: z.literal("images").optional(), before: z.number(), after: z.number() }),
  /** The model reads the summary instead of everything before the event `kept`. */
  event("context.compacted", {
    summary: z.string(),
    kept: z.number().int(),
    before: z.number(),
    after: z.number(),
    model: z.string(),
    usage: TokenUsage,
    tookMs: z.number(),
  }),
  /** Baton could not compact the conversation, or not by enough (`little`). */
  event("compaction.failed", { reason: z.enum(["little", "failed", "stopped"]), message: z.string() }),
  event("tool.allowed", { callId: CallId, verdict: Verdict, writes: z.boolean(), answeredBy: Actor.optional() }),
  /** A call of another agent through the endpoint, which belongs to no step. With `check` it is a check of the daemon after edits. */
  event("call.received", { call: ToolCall, by: Actor, check: CheckOrigin.optional() }),
  event("request.opened", { request: Request }),
  event("request.answered", { requestId: RequestId, answer: RequestAnswer, by: Actor }),
  /** `withdrawn`: the subject of the request no longer exists, so an answer would mean nothing. */
  event("request.closed", { requestId: RequestId, reason: z.enum(["answered", "granted", "expired", "interrupted", "withdrawn"]) }),
  event("tool.started", { callId: CallId }),
  /** `awaitsDiagnostics`: a language server checks the files that the call changed, after all calls of its step. */
  event("tool.finished", { callId: CallId, result: ToolResult, tookMs: z.number().optional(), awaitsDiagnostics: z.boolean().optional() }),
  /** The new errors after the edits of a step. Calls without new errors are not listed. */
  event("diagnostics.reported", { step: z.number().int(), calls: z.array(CallDiagnostics) }),
  /** The content of a file before a call changes it, as the hash of a blob. Null if there was no file. */
  event("file.kept", { callId: CallId, path: z.string(), before: z.string().nullable(), mode: FileMode.optional() }),
  event("file.changed", { callId: CallId, path: z.string(), after: z.string().nullable() }),
  /**
   * Restores files to their content at the seq `since`; with `redo`, to their content before that undo. `told`: the agent is informed.
   * `some`: other files that changed since then keep their changes. `hunk`: only this part of the one file is restored.
   */
  event("undo.started", {
    since: z.number().int(),
    files: z.array(FileRestore),
    told: z.boolean(),
    some: z.boolean().optional(),
    hunk: RestoredHunk.optional(),
    redo: z.literal(true).optional(),
    by: Actor,
  }),
  /** A hook begins to run. `hook.finished` has its decision. */
  event("hook.started", { run: HookRun }),
  event("hook.finished", { runId: z.string(), outcome: HookOutcome }),
  event("undo.finished", {
    since: z.number().int(),
    hunk: RestoredHunk.optional(),
    redo: z.literal(true).optional(),
    restored: z.array(z.string()),
    left: z.array(z.object({ path: z.string(), why: z.string() })),
    told: z.boolean(),
  }),
  event("grant.given", { grant: Grant, by: Actor }),
  event("grant.revoked", { grantId: z.string(), by: Actor }),
  /** Baton recorded the user's answer to the question whether to trust this workspace. */
  event("trust.settled", { trusted: z.boolean() }),
  /** Values for the parent or, with `from`, values of that child. */
  event("variables.changed", { values: SharedTaskVariables, from: SessionId.optional() }),
  /** Baton acted on the user's answer to a question about a server or of a server. */
  event("server.settled", { requestId: RequestId }),
  /** The MCP tools of the session: a toolset, none (null), or those of its mode. `changes` is the revision number. */
  event("toolset.changed", { equipped: Toolset.nullable().optional(), changes: z.number().int().nonnegative(), by: Actor }),
  event("todos.changed", { todos: z.array(Todo) }),
  /** `by`: the additional steps, milliseconds of work, US dollars or characters of results. */
  event("limit.raised", { turn: z.number().int(), what: LimitKind, by: z.number() }),
  /** A background child, which runs beside the turns of its parent. */
  event("child.started", { child: DelegatedTask }),
  /** The total cost of a child and its own children so far, and the amount by which the user raised its limit, in US dollars. */
  event("child.spent", { childId: SessionId, cost: z.number(), raised: z.number() }),
  event("child.ended", { childId: SessionId, status: ChildStatus }),
  event("process.started", { processId: z.string(), callId: CallId, command: z.string() }),
  event("process.ended", { processId: z.string(), exitCode: z.number().int().nullable(), reason: z.enum(["exited", "stopped", "lost"]) }),
  /**
   * A command in the sandbox created or replaced files that its verdict did not name and on which other programs act, as absolute paths. From
   * then on its programs ask. `programs`: named by a background command, whose call may have ended long before.
   */
  event("sandbox.exceeded", { callId: CallId, files: z.array(z.string()), programs: z.array(z.string()).optional() }),
  event("turn.ended", { reason: TurnEndReason, message: z.string().optional(), by: Actor.optional() }),
]);
export type SessionEvent = z.infer<typeof SessionEvent>;
export type EventOf<T extends SessionEvent["type"]> = Extract<SessionEvent, { type: T }>;

const types: ReadonlySet<string> = new Set(SessionEvent.options.map((option) => option.shape.type.value));

/** True if this version knows events of this type. */
export const isKnownEvent = (type: string): boolean => types.has(type);

/** The problem with an event of a log. Undefined if this version knows the event and it is valid. */
export function eventProblem(event: { type: string }): string | undefined {
  if (!isKnownEvent(event.type)) return `this version does not know ${event.type}`;
  const { error } = SessionEvent.safeParse(event, { jitless: true }); // compiling the parsers takes longer than reading a session
  const [issue] = error?.issues ?? [];
  return issue && `${event.type} is invalid at ${issue.path.join(".") || "its top"}: ${issue.message}`;
}

/** Gives an invalid event an unknown type, so that no fold misreads it. Other events are returned unchanged. */
export const withoutInvalidPayload = (event: LoggedEvent): LoggedEvent =>
  !isKnownEvent(event.type) || eventProblem(event) === undefined
    ? event
    : ({ ...event, type: `${event.type}@invalid` } as unknown as LoggedEvent);

/** An event in the log. `seq` counts from 1 without gaps in each stream; `at` is in epoch milliseconds. */
export type LoggedEvent<E = SessionEvent> = E & { seq: number; at: number };

/** All events of a workspace. They outlive its sessions. */
export const WorkspaceEvent = z.discriminatedUnion("type", [
  event("grant.given", { grant: Grant, by: Actor }),
  event("grant.revoked", { grantId: z.string(), by: Actor }),
  event("workspace.trusted", { by: Actor }),
  /** The server may start with this `launch` (a hash), or its tools may be used as they are described here. */
  event("server.approved", {
    server: z.string(),
    launch: z.string().optional(),
    tools: z.record(z.string(), ApprovedTool).optional(),
    by: Actor,
  }),
  /** Baton does not ask again for this hash. */
  event("server.refused", { server: z.string(), hash: z.string(), by: Actor }),
  event("workspace.restricted", { by: Actor }),
  /** The commands with this hash may prepare new places of the folder. */
  event("setup.approved", { hash: z.string(), by: Actor }),
  /** The hooks with these hashes may run, or never run as long as they stay as they are. */
  event("hooks.approved", { hashes: z.array(z.string()), by: Actor }),
  event("hooks.refused", { hashes: z.array(z.string()), by: Actor }),
  /** The same for tools that are files. */
  event("tools.approved", { hashes: z.array(z.string()), by: Actor }),
  event("tools.refused", { hashes: z.array(z.string()), by: Actor }),
]);
export type WorkspaceEvent = z.infer<typeof WorkspaceEvent>;
