import type { Refusal } from "../protocol/refusal.ts";
import { invalidInput, NOT_ACCEPTED } from "./describe-issues.ts";

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
  return isInvalidInput(error) && !message.startsWith(NOT_ACCEPTED) ? invalidInput(message) : message;
}

function dataOf(error: unknown): object | undefined {
  const data = error instanceof Error && "data" in error ? error.data : undefined;
  return typeof data === "object" && data !== null ? data : undefined;
}
