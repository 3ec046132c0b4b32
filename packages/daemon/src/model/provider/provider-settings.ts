import type { Transformer } from "node:stream/web";
import { omitUndefined } from "@baton/core/text/omit-undefined";
import { notAStreamFault } from "../provider-failure.ts";
import { ModelError } from "../model-port.ts";
import type { ProviderAccess } from "./provider-kind.ts";

/** The settings that all provider packages share. */
export const commonSettings = ({ baseUrl, key, headers }: ProviderAccess) => ({
  ...omitUndefined({ baseURL: baseUrl, apiKey: key, headers }),
  fetch: boundedFetch,
});

/** The same for answers that are one JSON text. */
export const embeddingSettings = (access: ProviderAccess) => ({ ...commonSettings(access), fetch: sizeLimitedFetch });

/** The maximum length of a line of an answer, in bytes. */
const MAX_LINE = 8 * 1024 * 1024;
/** The maximum number of bytes that Baton reads of an error. */
const MAX_REFUSAL = 256 * 1024;

const MALFORMED = "The model's answer has a line of more than 8 MB, so Baton stopped reading it.";

/** `fetch` for providers. Only a small part of the response is in memory at any time. */
const boundedFetch: typeof fetch = async (input, init) => {
  const response = await fetch(input, init);
  if (!response.body) return response;
  const { status, statusText, headers, url } = response;
  const received = { url, status, type: headers.get("content-type")?.split(";")[0] ?? null };
  const bounded = response.ok
    ? response.body
        .pipeThrough(new TransformStream(onlyStreams((body) => notAStreamFault(body, received))))
        .pipeThrough(new TransformStream(byLine(!received.type?.includes("amazon"))))
    : response.body.pipeThrough(new TransformStream(cutAfter(MAX_REFUSAL)));
  return new Response(bounded, { status, statusText, headers });
};

/** Passes streams on. A page or JSON differs by its first character; its beginning is read and given to `fault`. */
function onlyStreams(fault: (body: string) => ModelError): Transformer<Uint8Array, Uint8Array> {
  let what: "unknown" | "stream" | "whole" = "unknown";
  const read: Uint8Array[] = [];
  let length = 0;
  return {
    transform(chunk, out) {
      if (what === "unknown") {
        const first = chunk.find((byte) => !WHITESPACE.has(byte));
        if (first !== undefined) what = WHOLE.has(first) ? "whole" : "stream";
      }
      if (what !== "whole") return out.enqueue(chunk);
      if (length < MAX_REFUSAL) read.push(chunk);
      length += chunk.length;
    },
    flush() {
      if (what === "whole") throw fault(Buffer.concat(read).toString("utf8", 0, MAX_REFUSAL));
    },
  };
}

const bytesOf = (characters: string): Set<number> => new Set(Buffer.from(characters));
const WHITESPACE = bytesOf(" \t\r\n");
const WHOLE = bytesOf("<{[");

/** Passes on whole lines of text. Adds the missing finish reason to a stream of chat completions that ends properly. */
function byLine(isText: boolean): Transformer<Uint8Array, Uint8Array> {
  let held: Uint8Array[] = [];
  let length = 0;
  let hasReason = false;
  return {
    transform(chunk, out) {
      const end = chunk.lastIndexOf(LINE_END) + 1;
      length = end === 0 ? length + chunk.length : chunk.length - end;
      if (length > MAX_LINE) throw new ModelError("malformed", MALFORMED);
      if (!isText) return out.enqueue(chunk);
      if (end === 0) return void held.push(chunk);
      const lines = Buffer.concat([...held, chunk.subarray(0, end)]);
      held = end < chunk.length ? [chunk.subarray(end)] : [];
      const text = lines.toString("latin1");
      hasReason ||= REASON.test(text);
      const done = hasReason ? -1 : text.search(DONE);
      if (done < 0) return out.enqueue(lines);
      out.enqueue(lines.subarray(0, done));
      out.enqueue(STOPPED);
      out.enqueue(lines.subarray(done));
    },
    flush(out) {
      for (const rest of held) out.enqueue(rest);
    },
  };
}

const REASON = /"finish_reason"\s*:\s*"/;
const DONE = /^data: ?\[DONE\]/m;
const STOPPED = Buffer.from('data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\n');

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

const MAX_BYTES = 32 * 1024 * 1024;

/** `fetch` that stops reading a response after 32 MB. */
const sizeLimitedFetch: typeof fetch = async (input, init) => {
  const response = await fetch(input, init);
  if (!response.body) return response;
  let length = 0;
  const limited = response.body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, out) {
        length += chunk.length;
        if (length > MAX_BYTES) throw new ModelError("malformed", "The answer is larger than 32 MB, so Baton stopped reading it.");
        out.enqueue(chunk);
      },
    }),
  );
  const { status, statusText, headers } = response;
  return new Response(limited, { status, statusText, headers });
};
