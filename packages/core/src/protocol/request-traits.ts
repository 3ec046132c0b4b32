import type { Request } from "./request.ts";

/** How long a connection of a sandboxed command waits for the user. Most programs give up soon after that. */
export const MAX_CONNECTION_APPROVAL_WAIT_MS = 60_000;

/** When a request closes without an answer because its connection fails, in epoch milliseconds. Other requests wait without a limit. */
export const answerDeadline = ({ subject, openedAt }: Pick<Request, "subject" | "openedAt">): number | undefined =>
  "network" in subject ? openedAt + MAX_CONNECTION_APPROVAL_WAIT_MS : undefined;

/** Whether a request asks for an access, with the usual choices and a rule to remember: that of a call, or of a connection. */
export const isAccessRequest = ({ kind, subject }: Pick<Request, "kind" | "subject">): boolean =>
  kind === "approval" && ("call" in subject || "network" in subject);

/** Whether the agent reads a note with the answer. A connection has no result that could carry it. */
export const takesNote = ({ kind, subject }: Pick<Request, "kind" | "subject">): boolean => kind === "approval" && "call" in subject;
