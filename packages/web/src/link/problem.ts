import type { Refusal } from "@baton/core/protocol/refusal";

/** What to tell a person of a wish that failed. */
export function messageFor(error: unknown): string {
  const refusal = refusalIn(error);
  if (refusal) return refusal.message;
  const message = error instanceof Error ? error.message : String(error);
  return firstIssue(message) ?? message;
}

/** The refusal inside an error of a call, if the daemon refused it. */
export function refusalIn(error: unknown): Refusal | undefined {
  const data = error instanceof Error && "data" in error ? error.data : undefined;
  if (typeof data !== "object" || data === null || !("refusal" in data)) return undefined;
  const { refusal } = data;
  const fits = typeof refusal === "object" && refusal !== null && "code" in refusal && "message" in refusal;
  return fits ? (refusal as Refusal) : undefined; // the daemon makes nothing else of this name
}

/** What is wrong with an input that did not fit its schema. */
function firstIssue(message: string): string | undefined {
  if (!message.startsWith("[")) return undefined;
  try {
    const issues: unknown = JSON.parse(message);
    const issue: unknown = Array.isArray(issues) ? issues[0] : undefined;
    return typeof issue === "object" && issue !== null && "message" in issue
      ? `The daemon did not take this: ${String(issue.message)}`
      : undefined;
  } catch {
    return undefined; // it is a sentence already
  }
}
