import { ModelError } from "../model-port.ts";

const MAX_BYTES = 32 * 1024 * 1024;

/** `fetch` that stops reading a response after 32 MB. */
export const sizeLimitedFetch: typeof fetch = async (input, init) => {
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
