import { lookup } from "node:dns";
import type { IncomingMessage } from "node:http";
import { isIP, type LookupFunction } from "node:net";
import type { Readable } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { systemFault, type SystemFault } from "../system-fault.ts";

/** Decides by the resolved IP address what may be reached. */
export type IsAddressAllowed = (address: string) => boolean;

/** A decoded text. `url`: its address. */
export type WebText = { url: string; type: string; text: string };

/** Without a body a request is a GET, otherwise a POST. */
export type WebRequest = { headers?: Readonly<Record<string, string>>; body?: string };

const MAX_MS = 10_000;
const MAX_BYTES = 5_000_000;

/** An expected end of a request. It is an error because streams need one. */
class Stopped extends Error {}

/** Runs requests within the time limit, and turns their expected failures into faults. */
export async function withinTimeLimit(
  signal: AbortSignal,
  run: (limit: AbortSignal) => Promise<WebText | SystemFault>,
): Promise<WebText | SystemFault> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(MAX_MS)]);
  try {
    return await run(limit);
  } catch (error) {
    signal.throwIfAborted();
    return toWebFault(error, limit.aborted);
  }
}

/** Sends one request and follows no redirect. It has no cookies and nothing else that identifies the user. */
export async function sendRequest(
  url: URL,
  mayReach: IsAddressAllowed,
  signal: AbortSignal,
  { headers = {}, body }: WebRequest = {},
): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const host = url.hostname.replace(/^\[|\]$/g, "");
  if (isIP(host) !== 0 && !mayReach(host)) throw new Stopped(`${host} is not an address of the public internet.`);
  // Imported here, because importing node:http loads all of fetch, which would delay the start of the daemon.
  const { request: send } = url.protocol === "https:" ? await import("node:https") : await import("node:http");
  const request = send(url, {
    agent: false,
    method: body === undefined ? "GET" : "POST",
    lookup: checkedLookup(mayReach),
    signal,
    headers: {
      "user-agent": "baton",
      accept: "text/markdown, text/html;q=0.9, text/*;q=0.8, application/json;q=0.8, */*;q=0.1",
      "accept-encoding": "gzip, deflate, br",
      ...headers,
    },
  });
  request.on("response", resolve);
  request.on("error", reject);
  request.end(body);
  return promise;
}

/** Resolves a name for this connection. One forbidden address rejects the whole name. */
const checkedLookup =
  (mayReach: IsAddressAllowed): LookupFunction =>
  (hostname, options, done) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      const [first] = addresses ?? [];
      const closed = (addresses ?? []).find(({ address }) => !mayReach(address));
      if (error) done(error, "");
      else if (closed || !first)
        done(
          new Stopped(`${hostname} resolves to ${closed?.address ?? "no address"}, which is not an address of the public internet.`),
          "",
        );
      else if (options.all) done(null, addresses);
      else done(null, first.address, first.family);
    });
  };

/** Reads the text of a response. */
export async function readResponseText(response: IncomingMessage, url: URL): Promise<WebText | SystemFault> {
  const status = response.statusCode ?? 0;
  const [type = "", ...parameters] = (response.headers["content-type"] ?? "text/plain").split(";").map((part) => part.trim().toLowerCase());
  if (status >= 400 || status < 200) {
    response.destroy();
    return systemFault(status === 404 || status === 410 ? "missing" : "failed", `${url.href} answered with status ${status}.`);
  }
  if (!TEXT.test(type)) {
    response.destroy();
    return systemFault("binary", `${url.href} is ${type}, not text.`);
  }
  const bytes = await collect(decoded(response));
  const charset = parameters
    .find((parameter) => parameter.startsWith("charset="))
    ?.slice(8)
    .replace(/"/g, "");
  return { url: url.href, type, text: decode(bytes, charset) };
}

const TEXT =
  /^(text\/[\w.+-]+|application\/(json|xml|javascript|x-javascript|ecmascript|yaml|x-yaml|toml|x-sh|sql|graphql|ld\+json|[\w.-]+\+(json|xml|yaml)))$/;

function decoded(response: IncomingMessage): Readable {
  const decoders = { gzip: createGunzip, "x-gzip": createGunzip, deflate: createInflate, br: createBrotliDecompress };
  const encoding = (response.headers["content-encoding"] ?? "identity").trim().toLowerCase();
  if (encoding === "identity" || encoding === "") return response;
  if (!Object.hasOwn(decoders, encoding)) throw new Stopped(`The response has the unknown encoding ${encoding}.`);
  const decoder = decoders[encoding as keyof typeof decoders]();
  response.on("error", (error) => decoder.destroy(error));
  return response.pipe(decoder).on("close", () => response.destroy());
}

async function collect(stream: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream) {
    if (!(chunk instanceof Buffer)) continue;
    size += chunk.length;
    if (size > MAX_BYTES) throw new Stopped(`The text is larger than ${MAX_BYTES / 1_000_000} MB.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function decode(bytes: Buffer, charset: string | undefined): string {
  try {
    return new TextDecoder(charset ?? "utf-8").decode(bytes);
  } catch {
    return bytes.toString("utf8"); // an unknown charset is read as UTF-8
  }
}

function toWebFault(error: unknown, isLate: boolean): SystemFault {
  if (error instanceof Stopped) return systemFault("refused", error.message);
  if (isLate) return systemFault("failed", `The response was not complete within ${MAX_MS / 1000} s.`);
  if (error instanceof Error && "code" in error && typeof error.code === "string")
    return systemFault("failed", `The address could not be reached: ${error.message || error.code}.`);
  throw error;
}
