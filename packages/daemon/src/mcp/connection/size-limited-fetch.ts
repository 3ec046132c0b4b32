/** Explains why an address must not be reached now. Undefined if it may. */
export type UrlRefusal = (url: URL) => string | undefined;

/** The maximum size of a response or, in a stream, of each message. */
const MAX_RESPONSE_BYTES = 8 * 1024 * 1024;
const BLANK_LINE = /\r?\n\r?\n/;

/** `fetch` for servers. It checks the rules before each request and stops reading a response that is too long. */
export function sizeLimitedFetch(mayReach: UrlRefusal): (url: string | URL, init?: RequestInit) => Promise<Response> {
  return async (url, init) => {
    const refused = mayReach(new URL(url));
    if (refused !== undefined) throw new Error(refused);
    const response = await fetch(url, init);
    if (!response.body) return response;
    const isStream = response.headers.get("content-type")?.includes("text/event-stream") ?? false;
    const body = response.body.pipeThrough(isStream ? cappedEvents() : cappedWhole());
    const { status, statusText, headers } = response;
    return new Response(body, { status, statusText, headers });
  };
}

function cappedWhole(): TransformStream<Uint8Array, Uint8Array> {
  let length = 0;
  return new TransformStream({
    transform(chunk, controller) {
      length += chunk.length;
      if (length > MAX_RESPONSE_BYTES) controller.error(tooLong());
      else controller.enqueue(chunk);
    },
  });
}

function cappedEvents(): TransformStream<Uint8Array, Uint8Array> {
  let length = 0;
  return new TransformStream({
    transform(chunk, controller) {
      const last = Buffer.from(chunk).toString("latin1").split(BLANK_LINE).at(-1)?.length ?? 0;
      length = last < chunk.length ? last : length + chunk.length;
      if (length > MAX_RESPONSE_BYTES) controller.error(tooLong());
      else controller.enqueue(chunk);
    },
  });
}

const tooLong = () =>
  new Error(`The response has more than ${MAX_RESPONSE_BYTES / 1024 / 1024} MB, the maximum that Baton reads. Ask for less.`);
