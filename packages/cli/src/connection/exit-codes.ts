import type { Refusal } from "@baton/core/protocol/refusal";
import { isInvalidInput, refusalOf } from "@baton/core/client/rpc-errors";

/** Exit codes. Scripts rely on them. */
export const EXIT_CODES = {
  done: 0,
  failed: 1,
  usage: 2,
  requestLeft: 3,
  denied: 4,
  noDaemon: 5,
  timedOut: 124,
  interrupted: 130,
} as const;

/** The meaning of each exit code, for `baton run --help` and the reference. */
export const exitMeanings: Readonly<Record<keyof typeof EXIT_CODES, string>> = {
  done: "done",
  failed: "the command or the turn failed",
  usage: "wrong usage, or an invalid config",
  requestLeft: "a request was left open (`--on-request fail`)",
  denied: "the turn ended because a request was denied or a limit was reached",
  noDaemon: "the daemon is not available",
  timedOut: "stopped by `--timeout`; the output is what there was until then",
  interrupted: "interrupted",
};

/** Ends the command with a message and an exit code. */
export class CommandExit extends Error {
  readonly code: number;
  constructor(message: string, code: number) {
    super(message);
    this.code = code;
  }
}

export const usageError = (message: string): CommandExit => new CommandExit(message, EXIT_CODES.usage);

/**
 * The exit code for an error. A command that the current state does not allow is wrong usage; one that came too late has
 * failed.
 */
export function exitCodeFor(error: unknown): number {
  if (error instanceof CommandExit) return error.code;
  const refusal = refusalOf(error);
  if (refusal) return LATE.has(refusal.code) ? EXIT_CODES.failed : EXIT_CODES.usage;
  return isInvalidInput(error) ? EXIT_CODES.usage : EXIT_CODES.failed;
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
