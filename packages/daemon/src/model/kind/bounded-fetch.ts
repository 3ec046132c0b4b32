import type { Transformer } from "node:stream/web";
import { ModelError } from "../provider.ts";

/** An answer comes in lines; one of so many bytes is none that a provider means to send. */
const LONGEST_LINE = 8 * 1024 * 1024;
/** What is read of an answer that says what went wrong. */
const LONGEST_REFUSAL = 256 * 1024;

const MALFORMED = "The model's answer has a line of more than 8 MB, so it was not read on.";

/** `fetch` for what comes from a provider: however much that is, little of it is in memory at a time. */
export const boundedFetch: typeof fetch = async (input, init) => {
  const response = await fetch(input, init);
  if (!response.body) return response;
  const { status, statusText, headers } = response;
  const bounded = response.body.pipeThrough(new TransformStream(response.ok ? byLine() : cutAfter(LONGEST_REFUSAL)));
  return new Response(bounded, { status, statusText, headers });
};

function byLine(): Transformer<Uint8Array, Uint8Array> {
  let line = 0;
  return {
    transform(chunk, out) {
      const end = chunk.lastIndexOf(LINE_END);
      line = end < 0 ? line + chunk.length : chunk.length - end - 1;
      if (line > LONGEST_LINE) throw new ModelError("malformed", MALFORMED);
      out.enqueue(chunk);
    },
  };
}

function cutAfter(bytes: number): Transformer<Uint8Array, Uint8Array> {
  let left = bytes;
  return {
    transform(chunk, out) {
      out.enqueue(chunk.subarray(0, left));
      left -= chunk.length;
      if (left <= 0) out.terminate();
    },
  };
}

const LINE_END = 0x0a;
