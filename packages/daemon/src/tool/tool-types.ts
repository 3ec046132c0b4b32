import type { Result } from "@baton/core/protocol/call";
import type { KeptImage } from "@baton/core/protocol/image";
import type { DelegatedTask, SessionEvent } from "@baton/core/protocol/event";
import type { GroupName, Mode, ModeSlug, TransitionOrigin } from "@baton/core/protocol/mode";
import type { ToolHints } from "@baton/core/protocol/mcp";
import type { Answer, Request } from "@baton/core/protocol/request";
import type { Access, Rule } from "@baton/core/protocol/rule";
import type { ToolsetAnswer } from "@baton/core/toolset/tool-result";
import type { ToolsetTool } from "@baton/core/toolset/definition";
import type { Failure } from "@baton/core/toolset/failure";
import type { ToolsetState } from "@baton/core/toolset/toolset-state";
import type { Label, View } from "@baton/core/protocol/view";
import type * as z from "zod";
import type { Ports } from "../system/ports.ts";

/** What the client of another agent and a server exchange during a call, past Baton. */
export type ClientExchange = {
  /** Answers to what the server asked the client for, and the server's own state of the call. */
  inputResponses?: Readonly<Record<string, unknown>>;
  requestState?: string;
  /** What the client can be asked for. Undefined: what the server asks for is asked of the person. */
  capabilities?: Readonly<Record<string, unknown>>;
  /** From which level on the client wants messages of the server's log. */
  logLevel?: string;
  onProgress: (progress: { progress: number; total?: number | undefined; message?: string | undefined }) => void;
  onLog: (message: LogMessage) => void;
};

/** A message of a server's log. */
export type LogMessage = { level: string; data: unknown; logger?: string | undefined };

/** What every tool gets to work with. `cwd` is the session's workspace as a real path; `output` shows text as it comes. */
export type ToolContext = {
  ports: Ports;
  cwd: string;
  sessionId: string;
  callId: string;
  signal: AbortSignal;
  output: (text: string) => void;
  /** Adds facts to the session that come after the call has ended, such as the end of a background command. */
  note: (events: SessionEvent[]) => void;
  /** Puts a question of a server to the person and waits. It hangs on this call: what ends the call ends the question. */
  ask: (question: ServerQuestion) => Promise<Answer>;
  /** Takes what a server answered, or the error with which it failed, as it was, where another agent waits for it. */
  raw: (value: unknown) => void;
  /** There where the client of another agent waits for the call. */
  through: ClientExchange | undefined;
  /** Carries out a call of one of the toolset tools; `dry` says what would come of it and changes nothing. */
  configure: (tool: ToolsetTool, input: unknown, how?: { dry: boolean }) => Promise<ToolsetCallResult>;
};

/** What came of a call of a toolset tool, and the change of mode that follows from it. */
export type ToolsetCallResult = { answer: ToolsetAnswer | Failure; events: SessionEvent[]; transition?: ModeRequest };

/** What a server asks a person in the middle of a call. */
export type ServerQuestion = Pick<Request, "kind" | "header" | "text" | "choices" | "freeText" | "fields" | "view"> & { server: string };

/** What a tool may look at before a person is asked: nothing that changes anything. */
export type PreviewContext = Pick<ToolContext, "ports" | "cwd" | "signal" | "configure">;

type Common<S extends z.ZodType> = {
  name: string;
  /** Undefined: in every mode. */
  group?: GroupName;
  /** The action that rules know it by; what a mode lacks is said in actions. */
  action: string;
  /** The one thing that each call touches, where it is always the same. */
  resource?: string;
  /** What others say of it; nobody has checked that. */
  hints?: ToolHints;
  description: string;
  input: S;
  /** What a model is told of its input, where that is not made from `input`. */
  schema?: Readonly<Record<string, unknown>>;
  /** What the call is called on a screen. Gets input that has not been checked, so it must not trust its shape. */
  label: (input: unknown) => Label;
  /** Raw accesses, as the model named them; the gates make them exact. */
  access: (input: z.output<S>) => Access[];
};

/** What a finished tool adds to the session besides its result. */
export type Outcome = Result & { events?: SessionEvent[]; transition?: ModeRequest };

export type ActingTool<S extends z.ZodType = z.ZodType> = Common<S> & {
  kind: "acting";
  /** `safe`: only looks, so a call that a crash cut off is simply made again. */
  replay?: "safe";
  /** It is `safe`, and there in a moment. */
  quick?: true;
  /** Waits for something outside, so calling it again and again is no circle. */
  polls?: true;
  /** What comes of a call that cannot come to anything, so that nobody is asked about it. */
  beforehand?: (input: z.output<S>, context: PreviewContext) => Promise<Outcome | undefined>;
  /** The question of an approval, where what it shows does not make it. */
  question?: string;
  /** What an approval shows, if the input alone does not say it. */
  preview?: (input: z.output<S>, context: PreviewContext) => Promise<View>;
  run: (input: z.output<S>, context: ToolContext) => Promise<Outcome>;
};

/** What an asking tool knows of the session. `modes` are all modes there are; `returnPoints` are those that detours lead back to, the nearest last. */
export type AskContext = {
  mode: Mode;
  modes: readonly Mode[];
  returnPoints: readonly ModeSlug[];
  /** The answer comes from a client that nobody sits at. */
  unattended: boolean;
  /** The plan file of the session, relative to the workspace, and its text; empty when there is none. */
  plan: { path: string; text: string };
  /** Where the choice of tools of servers stands in this session. */
  standing: ToolsetState;
  /** Names of the tools that a mode offers here. */
  toolsOf: (mode: Mode) => readonly string[];
  /** The model that would answer in a mode; undefined when there is none. */
  modelOf: (mode: Mode) => string | undefined;
};

export type Question = Pick<Request, "kind" | "header" | "text" | "choices" | "freeText"> & { view?: View };

/** A change of mode that a tool brings about; `prompt` is what the agent is told in the new mode. */
export type ModeRequest = { to: ModeSlug; origin: TransitionOrigin; reason?: string | undefined; prompt: string };

/** What comes of a question: a result, and perhaps a change of mode and rules for the rest of the session in that mode. */
export type QuestionResult = Outcome & { grants?: readonly Rule[] };

/** A tool that asks a person: two pure functions, before the question and after the answer. */
export type AskingTool<S extends z.ZodType = z.ZodType> = Common<S> & {
  kind: "asking";
  /** The question; or what comes of the call at once, where there is nothing to ask. */
  ask: (input: z.output<S>, context: AskContext) => Question | QuestionResult;
  answered: (input: z.output<S>, answer: Answer, context: AskContext) => QuestionResult;
  /** The answer that a rule gives in the person's place where it allows the call. */
  unasked?: Answer;
};

/** Work for a session of its own: in which mode, with which first prompt. */
export type Delegation = Omit<DelegatedTask, "childId" | "callId"> & { background: boolean };

/** A tool that hands work on: it names the mode and the prompt, or says why that cannot be; the loop opens the child and waits. */
export type DelegatingTool<S extends z.ZodType = z.ZodType> = Common<S> & {
  kind: "delegating";
  preview?: ActingTool<S>["preview"];
  delegate: (input: z.output<S>, context: Pick<AskContext, "modes">) => Delegation | Result;
};

export type Tool = ActingTool | AskingTool | DelegatingTool;

export const actingTool = <S extends z.ZodType>(tool: Omit<ActingTool<S>, "kind">): Tool =>
  ({ kind: "acting", ...tool }) as unknown as Tool;
export const askingTool = <S extends z.ZodType>(tool: Omit<AskingTool<S>, "kind">): Tool =>
  ({ kind: "asking", ...tool }) as unknown as Tool;
export const delegatingTool = <S extends z.ZodType>(tool: Omit<DelegatingTool<S>, "kind">): Tool =>
  ({ kind: "delegating", ...tool }) as unknown as Tool;

/** What besides its text an outcome may have. */
type More = { view?: View; end?: string; images?: KeptImage[] };

export const ok = (text: string, more: More & { ends?: Result["ends"]; events?: SessionEvent[] } = {}): Outcome => ({
  outcome: "ok",
  text,
  ...more,
});
export const failed = (text: string, more: More = {}): Outcome => ({ outcome: "failed", text, ...more });

/** Reads one text field of input that nobody has checked yet; for labels. */
export const field = (input: unknown, name: string): string => {
  const value = typeof input === "object" && input !== null ? (input as Record<string, unknown>)[name] : undefined;
  return typeof value === "string" ? value : "";
};
