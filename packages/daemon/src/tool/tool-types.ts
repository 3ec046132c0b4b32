import type { ToolResult } from "@baton/core/protocol/tool-call";
import type { AttachmentRef } from "@baton/core/protocol/attachment-ref";
import type { DelegatedTask, SessionEvent } from "@baton/core/protocol/event";
import type { GroupName, Mode, ModeSlug, TransitionOrigin } from "@baton/core/protocol/mode";
import type { ToolHints } from "@baton/core/protocol/config/mcp";
import type { RequestAnswer, Request } from "@baton/core/protocol/request";
import type { Access, Rule } from "@baton/core/protocol/rule";
import type { ToolsetAnswer } from "@baton/core/toolset/toolset-result";
import type { ToolsetTool } from "@baton/core/toolset/toolset-inputs";
import type { ToolsetFailure } from "@baton/core/toolset/toolset-tool-failure";
import type { ToolsetState } from "@baton/core/toolset/toolset-selection-state";
import type { CallLabel, View } from "@baton/core/protocol/tool-view";
import type * as z from "zod";
import type { CodeQueries, SearchCode, TextChange } from "./code/code-query-types.ts";
import type { Ports } from "../system/system-ports.ts";

/** The messages between another agent's client and a server during a call. Baton passes them on. */
export type ClientExchange = {
  /** The client's answers to the server's questions, and the server's own state of the call. */
  inputResponses?: Readonly<Record<string, unknown>>;
  requestState?: string;
  /** The questions that the client supports. If undefined, Baton asks the user. */
  capabilities?: Readonly<Record<string, unknown>>;
  /** The minimum level of the server's log messages that the client wants. */
  logLevel?: string;
  onProgress: (progress: { progress: number; total?: number | undefined; message?: string | undefined }) => void;
  onLog: (message: LogMessage) => void;
};

/** A log message of a server. */
type LogMessage = { level: string; data: unknown; logger?: string | undefined };

/** The changes of a call whose input does not name its files. They are found before the call is judged. */
export type CallPlan = { changes: readonly TextChange[] };

/** The environment of a tool. `cwd`: the session's workspace as a real path. `output`: streams text to clients. */
export type ToolContext = {
  ports: Ports;
  cwd: string;
  sessionId: string;
  callId: string;
  /** The programs of the commands that were judged. */
  programs: readonly string[];
  signal: AbortSignal;
  code: CodeQueries;
  /** The plan that was judged, for a tool with `plan`. */
  plan: CallPlan | undefined;
  codeSearch: SearchCode;
  output: (text: string) => void;
  /** Adds events to the session after the call has ended, such as the end of a background command. */
  note: (events: SessionEvent[]) => void;
  /** Asks the user a question of a server and waits. The question ends with the call. */
  ask: (question: ElicitationQuestion) => Promise<RequestAnswer>;
  /** Keeps the server's answer or error unchanged, for another agent that waits for it. */
  raw: (value: unknown) => void;
  /** Present if another agent's client waits for the call. */
  through: ClientExchange | undefined;
  /** Executes a toolset tool. With `dry` it only reports what would change. */
  configure: (tool: ToolsetTool, input: unknown, how?: { dry: boolean }) => Promise<ToolsetCallResult>;
};

/** The result of a toolset tool, and the mode change that follows from it. */
export type ToolsetCallResult = { answer: ToolsetAnswer | ToolsetFailure; events: SessionEvent[]; transition?: ModeRequest };

/** A question of a server to the user during a call. */
export type ElicitationQuestion = Pick<Request, "kind" | "header" | "text" | "choices" | "freeText" | "fields" | "view"> & {
  server: string;
};

/** The part of the context that a tool may use before the user is asked. It must not change anything. */
export type PreviewContext = Pick<ToolContext, "ports" | "cwd" | "sessionId" | "signal" | "configure" | "plan">;

type Common<S extends z.ZodType> = {
  name: string;
  /** Undefined: in every mode. */
  group?: GroupName;
  /** The tool's action in rules. Modes are limited by actions. */
  action: string;
  /** The only resource of the tool's calls, if it is always the same. */
  resource?: string;
  /** The accesses that the user approved together with the tool: the actions that a mode needs for it, and where the tool is written. */
  declared?: { actions: readonly string[]; source: string };
  /** Why nobody can call the tool now, as the end of a sentence. */
  unavailable?: string;
  /** A server's claims about the tool. Baton does not verify them. */
  hints?: ToolHints;
  description: string;
  input: S;
  /** The schema that the model gets, if it is not derived from `input`. */
  schema?: Readonly<Record<string, unknown>>;
  /** The name of a call on the screen. Its input has not been checked, so its shape is unknown. */
  label: (input: unknown) => CallLabel;
  /** The accesses of a call as the model wrote them. The gates make them exact. */
  access: (input: z.output<S>) => Access[];
};

/** The result of a tool, and what it adds to the session. */
export type ToolExecutionResult = ToolResult & { events?: SessionEvent[]; transition?: ModeRequest };

export type ActingTool<S extends z.ZodType = z.ZodType> = Common<S> & {
  kind: "acting";
  /** `safe`: the tool only reads, so Baton repeats a call that a crash interrupted. */
  replay?: "safe";
  /** The tool is `safe` and answers at once. */
  quick?: true;
  /** The tool waits for something external, so repeated calls are not a loop. */
  polls?: true;
  /**
   * Finds the files that the call would change, or the result of a call that cannot succeed. Baton judges an edit and a read of each of
   * them besides `access`, and again after the user has answered.
   */
  plan?: (input: z.output<S>, context: Pick<ToolContext, "cwd" | "code" | "signal">) => Promise<CallPlan | ToolExecutionResult>;
  /** The result of a call that cannot succeed. Baton then does not ask for approval. */
  beforehand?: (input: z.output<S>, context: PreviewContext) => Promise<ToolExecutionResult | undefined>;
  /** Calls run in the sandbox if they stay inside. They then need no approval. */
  usesSandbox?: true;
  /** The agent's reason why a call must run outside of the sandbox. Undefined: it need not. */
  outsideSandbox?: (input: z.output<S>) => string | undefined;
  /** The question of an approval. By default it follows from what the approval shows. */
  question?: string;
  /** Shown by an approval besides the input. */
  preview?: (input: z.output<S>, context: PreviewContext) => Promise<View>;
  run: (input: z.output<S>, context: ToolContext) => Promise<ToolExecutionResult>;
};

/** The session from the view of an asking tool. `modes`: all modes. `returnPoints`: the modes that detours return to, the nearest last. */
export type AskContext = {
  mode: Mode;
  modes: readonly Mode[];
  returnPoints: readonly ModeSlug[];
  /** True if no user watches the client, so its answers are automatic. */
  unattended: boolean;
  /** The session's plan file, relative to the workspace, and its text. The text is empty if there is no plan. */
  plan: { path: string; text: string };
  /** The session's toolset state. */
  toolsetState: ToolsetState;
  /** The names of the tools that a mode offers in this session. */
  toolsOf: (mode: Mode) => readonly string[];
  /** The model of a mode in this session. Undefined if there is none. */
  modelOf: (mode: Mode) => string | undefined;
};

export type UserQuestion = Pick<Request, "kind" | "header" | "text" | "choices" | "freeText"> & { view?: View };

/** A mode change that a tool requests. `prompt`: the message for the agent in the new mode. */
export type ModeRequest = { to: ModeSlug; origin: TransitionOrigin; reason?: string | undefined; prompt: string };

/** The result of a question, with a mode change and rules for the rest of the session in that mode. */
export type QuestionResult = ToolExecutionResult & { grants?: readonly Rule[] };

/** A tool that asks the user. It has two pure functions: before the question and after the answer. */
export type AskingTool<S extends z.ZodType = z.ZodType> = Common<S> & {
  kind: "asking";
  /** The question, or a result if there is nothing to ask. */
  ask: (input: z.output<S>, context: AskContext) => UserQuestion | QuestionResult;
  answered: (input: z.output<S>, answer: RequestAnswer, context: AskContext) => QuestionResult;
  /** The answer that replaces the user's if a rule allows the call. */
  unasked?: RequestAnswer;
};

/** A task for a session of its own. */
export type Delegation = Omit<DelegatedTask, "childId" | "callId" | "place"> & {
  background: boolean;
  /** Whether the task works in a worktree of its own. */
  isolated: boolean;
};

/** A tool that delegates. It returns the task or a result that explains a problem; the session creates the child and waits. */
export type DelegatingTool<S extends z.ZodType = z.ZodType> = Common<S> & {
  kind: "delegating";
  preview?: ActingTool<S>["preview"];
  delegate: (input: z.output<S>, context: Pick<AskContext, "modes">) => Delegation | ToolResult;
};

export type Tool = ActingTool | AskingTool | DelegatingTool;

export const actingTool = <S extends z.ZodType>(tool: Omit<ActingTool<S>, "kind">): Tool =>
  ({ kind: "acting", ...tool }) as unknown as Tool;
export const askingTool = <S extends z.ZodType>(tool: Omit<AskingTool<S>, "kind">): Tool =>
  ({ kind: "asking", ...tool }) as unknown as Tool;
export const delegatingTool = <S extends z.ZodType>(tool: Omit<DelegatingTool<S>, "kind">): Tool =>
  ({ kind: "delegating", ...tool }) as unknown as Tool;

/** Optional parts of an outcome. */
type More = { view?: View; end?: string; images?: AttachmentRef[] };

export const ok = (text: string, more: More & { ends?: ToolResult["ends"]; events?: SessionEvent[] } = {}): ToolExecutionResult => ({
  outcome: "ok",
  text,
  ...more,
});
export const failed = (text: string, more: More = {}): ToolExecutionResult => ({ outcome: "failed", text, ...more });

/** Reads a text field of unchecked input, for labels. */
export const inputField = (input: unknown, name: string): string => {
  const value = typeof input === "object" && input !== null ? (input as Record<string, unknown>)[name] : undefined;
  return typeof value === "string" ? value : "";
};
