import * as z from "zod";
import { ChildStatus, ReplyPart, Result, Todo, ToolCall, Usage } from "./call.ts";
import { SharedVariables } from "./shared-variables.ts";
import { KeptImage } from "./image.ts";
import { CallId, PromptId, RequestId, SessionId } from "./ids.ts";
import { ModeSlug, TransitionOrigin } from "./mode.ts";
import { Actor, Answer, Request } from "./request.ts";
import { Grant, PlacedRule, Verdict } from "./rule.ts";
import { Toolset } from "./toolset.ts";

export const Delivery = z.enum(["queue", "steer"]);
export type Delivery = z.infer<typeof Delivery>;

export const TurnEnd = z.enum(["completed", "stopped", "blocked", "failed", "limit", "denied"]);
export type TurnEnd = z.infer<typeof TurnEnd>;

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

/** How a delegated task ranks among others, and how long its parent expects it to take. */
export const TaskPlan = z.object({
  priority: z.enum(["low", "medium", "high", "urgent"]),
  estimatedMinutes: z.number().positive().optional(),
});
export type TaskPlan = z.infer<typeof TaskPlan>;

/** Work that is handed to a session of its own. `after` names children that have to end first. */
export const DelegatedTask = TaskPlan.extend({
  childId: SessionId,
  callId: CallId,
  mode: ModeSlug,
  prompt: z.string(),
  todos: z.array(Todo),
  after: z.array(z.string()),
});
export type DelegatedTask = z.infer<typeof DelegatedTask>;

/** The permission bits of a file. */
const FileMode = z.number().int().min(0).max(0o7777);

/** What a file is to become (a hash, null for none), and what it has to be now; without `expect` nobody knows. */
export const FileRestore = z.object({
  path: z.string(),
  to: z.string().nullable(),
  expect: z.string().nullable().optional(),
  mode: FileMode.optional(),
  /** What it was when the undo began, and its permission bits: kept, so that a redo can bring it back. */
  was: z.string().nullable().optional(),
  wasMode: FileMode.optional(),
});
export type FileRestore = z.infer<typeof FileRestore>;

/** A tool of a server as it was approved. */
export const ApprovedTool = z.object({ hash: z.string(), description: z.string() });
export type ApprovedTool = z.infer<typeof ApprovedTool>;

export const LimitKind = z.enum(["steps", "time", "cost", "output", "day"]);
export type LimitKind = z.infer<typeof LimitKind>;

/** What a session may use before it asks: US dollars in all, milliseconds of work in a turn, characters of results in a turn. */
export const Limits = z.object({
  cost: z.number().positive().optional(),
  timeMs: z.number().positive().optional(),
  output: z.number().positive().optional(),
});
export type Limits = z.infer<typeof Limits>;

const event = <T extends string, S extends z.ZodRawShape>(type: T, shape: S) => z.object({ type: z.literal(type), ...shape });

/** Everything that can have happened in a session. A new fact is one member here and one case in `reduce.ts`. */
export const SessionEvent = z.discriminatedUnion("type", [
  event("session.created", {
    workspace: z.string(),
    mode: ModeSlug,
    model: z.string().optional(),
    stepLimit: z.number().int().positive(),
    limits: Limits.optional(),
    /** `lineage` has a digest of each task from the first delegated one down to this, to find out how deep it is and whether it repeats. */
    parent: z
      .object({ sessionId: SessionId, callId: CallId, lineage: z.array(z.string()).optional(), task: TaskPlan.optional() })
      .optional(),
    /** What the parent's mode keeps its children from, whatever theirs is. */
    ceilings: z.array(PlacedRule).optional(),
    /** It holds no conversation, but what other agents call through this profile of the endpoint. */
    endpoint: z.string().optional(),
    /** What the parent's tasks have handed over so far. */
    variables: SharedVariables.optional(),
    /** The session and the seq up to which this one repeats it. */
    forkedFrom: z.object({ sessionId: SessionId, seq: z.number().int() }).optional(),
    /** Whose disk it works on. Missing in what was written before there was such an id. */
    machine: z.object({ id: z.string(), name: z.string() }).optional(),
    by: Actor,
  }),
  /** `usage`: what a model took to find the title. */
  event("session.renamed", { title: z.string(), usage: Usage.optional() }),
  event("session.archived", { archived: z.boolean() }),
  /** What came after `to` counts no more. Steps and turns are counted on, so that no id is given twice. */
  event("session.rewound", { to: z.number().int().nonnegative(), step: z.number().int(), turn: z.number().int(), by: Actor }),
  event("prompt.received", {
    promptId: PromptId,
    text: z.string(),
    delivery: Delivery,
    mode: ModeSlug,
    /** The mode that the person wants for it, where the session changes to that mode only when the prompt is delivered. */
    switchTo: ModeSlug.optional(),
    model: z.string().optional(),
    images: z.array(KeptImage).optional(),
    /** Absent for a person's own prompt; else who in the daemon wrote it. */
    synthetic: z.string().optional(),
    by: Actor,
  }),
  event("prompt.edited", { promptId: PromptId, text: z.string() }),
  event("prompt.withdrawn", { promptId: PromptId }),
  event("prompt.delivered", { promptIds: z.array(PromptId) }),
  event("queue.resumed", { by: Actor }),
  event("mode.changed", {
    from: ModeSlug,
    to: ModeSlug,
    origin: TransitionOrigin,
    reason: z.string().optional(),
    requestId: RequestId.optional(),
    /** What the person was looking at. */
    file: z.string().optional(),
    by: Actor,
    tookMs: z.number(),
  }),
  /** The mode lacked something (a tool by its name, or `blocked`), and whether to change it was put to the coordinator or the person. */
  event("coordination.raised", { about: z.string() }),
  event("model.chosen", { model: z.string(), by: Actor }),
  event("limit.changed", { stepLimit: z.number().int().positive() }),
  /** `mostSteps`: how many a turn may take in this mode before it asks. */
  event("model.started", {
    step: z.number().int(),
    attempt: z.number().int(),
    mode: ModeSlug,
    model: z.string(),
    tools: z.string(),
    mostSteps: z.number().int().positive().optional(),
    /** What the model can read and say, in tokens, as far as it is known and the conversation is to be kept within it. */
    room: z.object({ context: z.number().optional(), output: z.number().optional() }).optional(),
  }),
  /** Text of a running step, and what its reply has used by then, kept in case the daemon dies before the reply ends. */
  event("model.kept", { step: z.number().int(), text: z.string(), usage: Usage.optional() }),
  /** What was used for a reply that did not come to its end; of no step where it was to be a summary or a title. */
  event("model.spent", { step: z.number().int().optional(), usage: Usage }),
  event("model.replied", {
    step: z.number().int(),
    text: z.string(),
    reasoning: z.string().optional(),
    /** Present where the provider wants more of its reply back than text and calls. */
    parts: z.array(ReplyPart).optional(),
    calls: z.array(ToolCall),
    usage: Usage,
    finish: z.string(),
    tookMs: z.number(),
  }),
  event("model.failed", {
    step: z.number().int(),
    code: ModelFault,
    message: z.string(),
    retryAt: z.number().optional(),
    /** How often this model was asked in this step, and how often it is asked at most. */
    tries: z.object({ made: z.number().int(), most: z.number().int() }).optional(),
    fallback: z.string().optional(),
  }),
  /** A person wants the conversation made shorter; `note` says what to keep. */
  event("compaction.wanted", { note: z.string().optional(), by: Actor }),
  /** Outputs of calls up to this step, or their pictures only, are not sent any more. Sizes are estimates in tokens, of the whole conversation. */
  event("context.pruned", { step: z.number().int(), only: z.literal("images").optional(), before: z.number(), after: z.number() }),
  /** Instead of everything before the event `kept` the model reads the summary. */
  event("context.compacted", {
    summary: z.string(),
    kept: z.number().int(),
    before: z.number(),
    after: z.number(),
    model: z.string(),
    usage: Usage,
    tookMs: z.number(),
  }),
  /** The conversation could not be made shorter, or not by enough (`little`). */
  event("compaction.failed", { reason: z.enum(["little", "failed", "stopped"]), message: z.string() }),
  event("tool.allowed", { callId: CallId, verdict: Verdict, writes: z.boolean(), answeredBy: Actor.optional() }),
  /** A call of another agent, which came through the endpoint and belongs to no step. */
  event("call.received", { call: ToolCall, by: Actor }),
  event("request.opened", { request: Request }),
  event("request.answered", { requestId: RequestId, answer: Answer, by: Actor }),
  /** `withdrawn`: what was asked about is not there any more, so no answer would mean anything. */
  event("request.closed", { requestId: RequestId, reason: z.enum(["answered", "granted", "expired", "interrupted", "withdrawn"]) }),
  event("tool.started", { callId: CallId }),
  event("tool.finished", { callId: CallId, result: Result, tookMs: z.number().optional() }),
  /** The content of a file before a call changes it, as the hash of a blob; null where there was none. */
  event("file.kept", { callId: CallId, path: z.string(), before: z.string().nullable(), mode: FileMode.optional() }),
  event("file.changed", { callId: CallId, path: z.string(), after: z.string().nullable() }),
  /** Files go back to what they were at `since`, a seq; `redo`: back to what they were before that. `told`: the agent learns of it. */
  event("undo.started", {
    since: z.number().int(),
    files: z.array(FileRestore),
    told: z.boolean(),
    redo: z.literal(true).optional(),
    by: Actor,
  }),
  event("undo.finished", {
    since: z.number().int(),
    redo: z.literal(true).optional(),
    restored: z.array(z.string()),
    left: z.array(z.object({ path: z.string(), why: z.string() })),
    told: z.boolean(),
  }),
  event("grant.given", { grant: Grant, by: Actor }),
  event("grant.revoked", { grantId: z.string(), by: Actor }),
  /** What a person said to the question whether this workspace is trusted has been written down. */
  event("trust.settled", { trusted: z.boolean() }),
  /** Values that are handed to the parent; or that came from this child. */
  event("variables.changed", { values: SharedVariables, from: SessionId.optional() }),
  /** What a person said to a question about a server, or of one, has been acted on. */
  event("server.settled", { requestId: RequestId }),
  /** Which tools of servers the session has: those of a toolset, none (null), or what its mode has. `changes` counts them for the revision. */
  event("toolset.changed", { equipped: Toolset.nullable().optional(), changes: z.number().int().nonnegative(), by: Actor }),
  event("todos.changed", { todos: z.array(Todo) }),
  /** `by` more: steps, milliseconds of work, US dollars, or characters of results. */
  event("limit.raised", { turn: z.number().int(), what: LimitKind, by: z.number() }),
  /** A child that runs on beside the turns of its parent, and its end. */
  event("child.started", { child: DelegatedTask }),
  /** What a child has cost so far in all, with its own children, and by how much a person let it go beyond what it was given, in US dollars. */
  event("child.spent", { childId: SessionId, cost: z.number(), raised: z.number() }),
  event("child.ended", { childId: SessionId, status: ChildStatus }),
  event("process.started", { processId: z.string(), callId: CallId, command: z.string() }),
  event("process.ended", { processId: z.string(), exitCode: z.number().int().nullable(), reason: z.enum(["exited", "stopped", "lost"]) }),
  event("turn.ended", { reason: TurnEnd, message: z.string().optional(), by: Actor.optional() }),
]);
export type SessionEvent = z.infer<typeof SessionEvent>;
export type EventOf<T extends SessionEvent["type"]> = Extract<SessionEvent, { type: T }>;

const types: ReadonlySet<string> = new Set(SessionEvent.options.map((option) => option.shape.type.value));

/** Whether this version knows what such an event means. */
export const isKnownEvent = (type: string): boolean => types.has(type);

/** What is wrong with an event of a log, in words; undefined where it is one that this version knows, as it has to be. */
export function eventProblem(event: { type: string }): string | undefined {
  if (!isKnownEvent(event.type)) return `this version does not know ${event.type}`;
  const { error } = SessionEvent.safeParse(event, { jitless: true }); // compiling its parsers takes longer than reading a session
  const [issue] = error?.issues ?? [];
  return issue && `${event.type} is invalid at ${issue.path.join(".") || "its top"}: ${issue.message}`;
}

/** The same event, or where it is invalid one of a type that nobody knows, so that no fold takes it for what it is not. */
export const withoutInvalidPayload = (event: Logged): Logged =>
  !isKnownEvent(event.type) || eventProblem(event) === undefined
    ? event
    : ({ ...event, type: `${event.type}@invalid` } as unknown as Logged);

/** An event as it lies in the log: `seq` counts from 1 without gaps in each stream, `at` is epoch milliseconds. */
export type Logged<E = SessionEvent> = E & { seq: number; at: number };

/** What can have happened to a workspace; its stream outlives its sessions. */
export const WorkspaceEvent = z.discriminatedUnion("type", [
  event("grant.given", { grant: Grant, by: Actor }),
  event("grant.revoked", { grantId: z.string(), by: Actor }),
  event("workspace.trusted", { by: Actor }),
  /** A server may start as `launch` (a hash), or its tools may be used as they are described here. */
  event("server.approved", {
    server: z.string(),
    launch: z.string().optional(),
    tools: z.record(z.string(), ApprovedTool).optional(),
    by: Actor,
  }),
  /** What has this hash is not to be asked again. */
  event("server.refused", { server: z.string(), hash: z.string(), by: Actor }),
  event("workspace.restricted", { by: Actor }),
]);
export type WorkspaceEvent = z.infer<typeof WorkspaceEvent>;
