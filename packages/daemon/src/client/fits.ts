import type { Refusal } from "@baton/core/protocol/refusal";
import { TRPCClientError, type TRPCLink } from "@trpc/client";
import { observable } from "@trpc/server/observable";
import type { AppRouter } from "../api/router.ts";

/** The daemon cuts a connection off whose message has more than a megabyte; this leaves room for what is around an input. */
const MOST_BYTES = 1024 * 1024 - 4_096;

/**
 * Refuses what the daemon would cut the connection off for, and what a client would then send again and again. Needs nothing
 * of Node: every client has it from here.
 */
export const onlyWhatFits: TRPCLink<AppRouter> =
  () =>
  ({ op, next }) =>
    observable((observer) => {
      if (fits(op.input)) return next(op).subscribe(observer);
      observer.error(TRPCClientError.from(tooLarge()));
      return undefined;
    });

function fits(input: unknown): boolean {
  const text = JSON.stringify(input) ?? "";
  return text.length * 3 <= MOST_BYTES || new TextEncoder().encode(text).length <= MOST_BYTES;
}

/** In the shape of an answer of the daemon, so that it is taken for one: nothing was lost on the way. */
function tooLarge() {
  const message = "This is larger than 1 MB, which is the most that goes to the daemon at once. Put long texts into a file and name that.";
  const refusal: Refusal = { code: "too_large", message };
  const data = { code: "PAYLOAD_TOO_LARGE" as const, httpStatus: 413, stack: undefined, refusal };
  return { error: { code: -32_013 as const, message, data } };
}
