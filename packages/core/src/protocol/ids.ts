import * as z from "zod";

/** The id of a session and of its stream in the log. The id of a child is `<parent>.<call>`, so it follows from the call. */
export const SessionId = z
  .string()
  .regex(/^[a-z0-9][a-z0-9.]{0,199}$/, "a session id is made of a-z, 0-9 and dots")
  .brand("SessionId");
export type SessionId = z.infer<typeof SessionId>;

/** Baton's id of a call, not the provider's. `s7.2` is the second call of step 7. */
export const CallId = z.string().min(1).max(40).brand("CallId");
export type CallId = z.infer<typeof CallId>;

/** `<session>-<subject>`. The id alone identifies the session. */
export const RequestId = z.string().min(3).max(260).brand("RequestId");
export type RequestId = z.infer<typeof RequestId>;

export const PromptId = z.string().min(1).max(80).brand("PromptId");
export type PromptId = z.infer<typeof PromptId>;

/** An idempotency key that the client creates for every command. If a client sends it twice, it gets the first answer again. */
export const CommandId = z.string().min(8).max(80).brand("CommandId");
export type CommandId = z.infer<typeof CommandId>;

export const callIdOf = (step: number, index: number): CallId => `s${step}.${index + 1}` as CallId;

export const requestIdOf = (sessionId: SessionId, subject: string): RequestId => `${sessionId}-${subject}` as RequestId;

/** The session of a request. Undefined if the text is not a request id. */
export function sessionOfRequest(requestId: string): SessionId | undefined {
  const id = SessionId.safeParse(requestId.slice(0, Math.max(0, requestId.indexOf("-"))));
  return id.success ? id.data : undefined;
}

/** The id of a subtask follows from the call that delegates to it, so the daemon finds it again after a crash. */
export const childIdOf = (parent: SessionId, call: CallId): SessionId => `${parent}.${call}` as SessionId;

/** The stream for receipts of commands that belong to no session. It has no events. */
export const SESSIONLESS_STREAM = "files";
