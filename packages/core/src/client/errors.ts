import type { Refusal } from "../protocol/refusal.ts";
import { parseJson } from "../text/json.ts";
import { describeIssue, type Issue } from "./describe-issues.ts";

/**
 * The refusal that an error of a call carries, if the daemon refused the call. The check is by shape, so that it costs no
 * code of the connection and works for errors that an editor passes on.
 */
export function refusalOf(error: unknown): Refusal | undefined {
  const data = dataOf(error);
  if (data === undefined || !("refusal" in data)) return undefined;
  const { refusal } = data;
  const isRefusal = typeof refusal === "object" && refusal !== null && "code" in refusal && "message" in refusal;
  return isRefusal ? (refusal as Refusal) : undefined; // only the daemon's router writes this field
}

/** True if the call was lost on the way. Every answer of the daemon, errors included, has a shape. */
export const isConnectionLost = (error: unknown): boolean =>
  error instanceof Error && error.name === "TRPCClientError" && !("shape" in error && error.shape);

/** True if the daemon rejected the input of a call because it does not match the schema. */
export const isInvalidInput = (error: unknown): error is Error => {
  const data = dataOf(error);
  return data !== undefined && "code" in data && data.code === "BAD_REQUEST" && refusalOf(error) === undefined;
};

/** The sentence to show to the user for an error of a call. */
export function errorMessage(error: unknown): string {
  const refusal = refusalOf(error);
  if (refusal) return refusal.message;
  const message = error instanceof Error ? error.message : String(error);
  const issue = firstIssue(message);
  if (issue !== undefined) return asSentence(`The daemon did not accept this: ${issue}`);
  return isInvalidInput(error) ? asSentence(`The daemon did not accept this: ${message}`) : message;
}

function dataOf(error: unknown): object | undefined {
  const data = error instanceof Error && "data" in error ? error.data : undefined;
  return typeof data === "object" && data !== null ? data : undefined;
}

/** The first problem of an input that did not match its schema. tRPC sends all of them as JSON. */
function firstIssue(message: string): string | undefined {
  if (!message.startsWith("[")) return undefined;
  const issues = parseJson(message);
  const issue: unknown = Array.isArray(issues) ? issues[0] : undefined;
  return isIssue(issue) ? describeIssue(issue) : undefined;
}

const isIssue = (issue: unknown): issue is Issue =>
  typeof issue === "object" &&
  issue !== null &&
  "path" in issue &&
  Array.isArray(issue.path) &&
  "message" in issue &&
  typeof issue.message === "string";

const asSentence = (text: string): string => text.replace(/[^.]$/, "$&.");
