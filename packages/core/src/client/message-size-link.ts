import { TRPCClientError, type TRPCLink } from "@trpc/client";
import type { AnyRouter } from "@trpc/server";
import { observable } from "@trpc/server/observable";
import type { Refusal } from "../protocol/refusal.ts";

/** The daemon closes a connection that sends a message of more than one megabyte. The rest is room for what surrounds an input. */
const MAX_BYTES = 1024 * 1024 - 4_096;

/** Rejects an input that the daemon would close the connection for. The client would otherwise send it again and again. */
export const messageSizeLink: TRPCLink<AnyRouter> =
  () =>
  ({ op, next }) =>
    observable((observer) => {
      if (fits(op.input)) return next(op).subscribe(observer);
      observer.error(TRPCClientError.from(tooLarge()));
      return undefined;
    });

function fits(input: unknown): boolean {
  const text = JSON.stringify(input) ?? "";
  return text.length * 3 <= MAX_BYTES || byteLength(text) <= MAX_BYTES;
}

/** The length of a text in UTF-8. */
function byteLength(text: string): number {
  let bytes = text.length;
  for (const char of text) {
    const code = char.codePointAt(0) ?? 0;
    bytes += code > 0xffff ? 2 : code > 0x7ff ? 2 : code > 0x7f ? 1 : 0;
  }
  return bytes;
}

/** In the shape of an answer of the daemon, so that no link takes it for a lost message. */
function tooLarge() {
  const message =
    "This is larger than 1 MB, which is the most that Baton sends to the daemon at once. Put long text into a file and name the file.";
  const refusal: Refusal = { code: "too_large", message };
  const data = { code: "PAYLOAD_TOO_LARGE" as const, httpStatus: 413, stack: undefined, refusal };
  return { error: { code: -32_013 as const, message, data } };
}
