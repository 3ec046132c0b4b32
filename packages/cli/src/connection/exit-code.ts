import type { Refusal } from "@baton/core/protocol/refusal";
import { isInvalidInput, refusalOf } from "@baton/core/client/errors";
import { EXIT, Stop } from "./exit-codes.ts";

/** The exit code for an error. A command that does not fit the state of things is wrong usage; one that came too late has failed. */
export function exitCodeFor(error: unknown): number {
  if (error instanceof Stop) return error.code;
  const refusal = refusalOf(error);
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
