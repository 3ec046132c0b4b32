import type { Refusal } from "@baton/core/protocol/refusal";
import { faultOf, type Issue } from "./faults-in.ts";
import { EXIT, Stop } from "./stop.ts";

/** What to tell a person of an error that ends the command. */
export function messageFor(error: unknown): string {
  const refusal = refusalIn(error);
  if (refusal) return refusal.message;
  if (isInvalidInput(error)) return `The daemon did not take this: ${firstFault(error.message)}`.replace(/[^.]$/, "$&.");
  return error instanceof Error ? error.message : String(error);
}

/** The exit code for it. What does not fit the state of things is wrong usage; what came too late has failed. */
export function exitCodeFor(error: unknown): number {
  if (error instanceof Stop) return error.code;
  const refusal = refusalIn(error);
  if (refusal) return LATE.has(refusal.code) ? EXIT.failed : EXIT.usage;
  return isInvalidInput(error) ? EXIT.usage : EXIT.failed;
}

const LATE = new Set<Refusal["code"]>([
  "already_answered",
  "hash_mismatch",
  "nothing_running",
  "stalled",
  "stopping",
  "resync",
  "session_exists",
]);

/** The refusal inside an error of a call. Looked for by its shape, so that this costs no code of the connection. */
function refusalIn(error: unknown): Refusal | undefined {
  const data = error instanceof Error && "data" in error ? error.data : undefined;
  if (typeof data !== "object" || data === null || !("refusal" in data)) return undefined;
  const { refusal } = data;
  const fits = typeof refusal === "object" && refusal !== null && "code" in refusal && "message" in refusal;
  return fits ? (refusal as Refusal) : undefined; // the daemon makes nothing else of this name
}

function isInvalidInput(error: unknown): error is Error {
  if (!(error instanceof Error) || !("data" in error)) return false;
  const { data } = error;
  return typeof data === "object" && data !== null && "code" in data && data.code === "BAD_REQUEST";
}

function firstFault(message: string): string {
  try {
    const issues: unknown = JSON.parse(message);
    const issue: unknown = Array.isArray(issues) ? issues[0] : undefined;
    return isIssue(issue) ? faultOf(issue) : message;
  } catch {
    return message; // it is a sentence already
  }
}

const isIssue = (issue: unknown): issue is Issue =>
  typeof issue === "object" &&
  issue !== null &&
  "path" in issue &&
  Array.isArray(issue.path) &&
  "message" in issue &&
  typeof issue.message === "string";
