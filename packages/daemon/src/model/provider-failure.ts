import { APICallError, JSONParseError, LoadAPIKeyError, TypeValidationError } from "@ai-sdk/provider";
import { isOverflow, providerErrorMessage } from "./provider-error-message.ts";
import { ModelError } from "./model-port.ts";

/** What a provider's failure means for us and for the person: what happened, where, what to do. */
export function toModelFault(error: unknown): ModelError {
  const own = ownIn(error);
  if (own) return own;
  if (LoadAPIKeyError.isInstance(error)) return new ModelError("unauthorized", `There is no key: ${error.message}`, { cause: error });
  if (APICallError.isInstance(error)) return ofResponse(error);
  if (isParsing(error)) return unreadable(error);
  return isStreamError(error) ? ofStream(error) : new ModelError("cut", `The model's answer broke off: ${textOf(error)}`, { cause: error });
}

/** A failure of ours, which provider packages may have wrapped. */
function ownIn(error: unknown): ModelError | undefined {
  if (error instanceof ModelError) return error;
  return error instanceof Error ? ownIn(error.cause) : undefined;
}

/** What undici and the system say of a connection that the other side has closed. */
const CLOSED = /other side closed|terminated|ECONNRESET|EPIPE/;

function ofResponse(error: APICallError): ModelError {
  const { statusCode: status, url, responseHeaders } = error;
  const place = placeOf(url);
  if (status === undefined && CLOSED.test(textOf(error.cause ?? error)))
    return new ModelError("cut", `${place} closed the connection before its answer was whole.`, { cause: error });
  if (status === undefined)
    return new ModelError("unreachable", `No answer from ${url}: ${textOf(error.cause ?? error)}. Is the server running?`, {
      cause: error,
    });
  if (status < 300)
    return isParsing(error.cause)
      ? unreadable(error)
      : new ModelError("cut", `The answer of ${place} broke off: ${textOf(error)}`, { cause: error });
  const said = providerErrorMessage(error.responseBody) ?? error.message;
  return refused({ status, said, place }, { cause: error, ...(retryAfter(responseHeaders) ?? retryDelay(error.responseBody)) });
}

/** An error that came in the middle of a stream that had begun well. */
function ofStream(error: StreamError): ModelError {
  const said = providerErrorMessage(error) ?? "it gave no reason";
  const status = typeof error.statusCode === "number" ? error.statusCode : typeof error.code === "number" ? error.code : 500;
  return refused({ status, said, place: "The provider" }, { cause: error });
}

/** `sent` is the status that came, where what was sent says another. */
type Answer = { status: number; said: string; place: string; sent?: number };

function refused({ status, said, place, sent = status }: Answer, options: { cause: unknown; retryAfterMs?: number }): ModelError {
  if (status === 402 || isOutOfCredit(said, options.cause))
    return new ModelError(
      "unauthorized",
      `${place}: the quota is used up (${sent}): ${said}. Add credit there, or choose another model.`,
      options,
    );
  if (![401, 403, 404, 429].includes(status) && isOverflow(said, status))
    return new ModelError("overflow", `The conversation is longer than the model can read: ${said}`, options);
  if (status === 401 || status === 403)
    return new ModelError("unauthorized", `${place} refused the key (${sent}): ${said}. Check the provider's API key.`, options);
  if (status === 404) return new ModelError("not_found", `${place} does not know this model or address (404): ${said}`, options);
  if (status === 429) return new ModelError("rate_limited", `Rate limited by ${place} (429): ${said}`, options);
  if (status === 408 || status === 409) return new ModelError("overloaded", `${place} is busy (${sent}): ${said}`, options);
  if (status === 503 || status === 529) return new ModelError("overloaded", `${place} is overloaded (${sent}): ${said}`, options);
  if (status >= 500) return new ModelError("overloaded", `${place} failed (${sent}): ${said}`, options);
  return new ModelError("bad_request", `${place} refused the request (${sent}): ${said}`, options);
}

/** What came with a status of success instead of a stream: a web page, an error, or a whole answer. */
export function notAStreamFault(body: string, { url, status, type }: { url: string; status: number; type: string | null }): ModelError {
  const place = placeOf(url);
  const came = `(${status}${type === null ? "" : `, ${type}`})`;
  const said = providerErrorMessage(body);
  if (body.trimStart().startsWith("<")) {
    const page = said === undefined ? "" : `: ${said}`;
    return new ModelError("cut", `${place} sent a web page instead of an answer ${came}${page}. Check the provider's baseUrl.`);
  }
  const error = errorIn(body);
  if (error) return refused({ status: error.status, said: said ?? "it gave no reason", place, sent: status }, { cause: error.cause });
  return new ModelError(
    "bad_request",
    `${place} did not stream its answer ${came}: ${body.trim().replaceAll(/\s+/g, " ").slice(0, 300)}. Baton needs a server that streams.`,
  );
}

/** The error in a body, with the status that it names. */
function errorIn(body: string): { status: number; cause: StreamError } | undefined {
  try {
    const parsed: unknown = JSON.parse(body);
    const data: unknown = Array.isArray(parsed) ? parsed[0] : parsed;
    if (typeof data !== "object" || data === null || !("error" in data || "detail" in data)) return undefined;
    const error = "error" in data && typeof data.error === "object" && data.error !== null ? data.error : data;
    const named = "status" in error ? error.status : "code" in error ? error.code : undefined;
    return { status: typeof named === "number" && named >= 400 ? named : 500, cause: { ...data, message: undefined } };
  } catch {
    return undefined;
  }
}

const isParsing = (error: unknown): boolean => JSONParseError.isInstance(error) || TypeValidationError.isInstance(error);
const unreadable = (cause: unknown): ModelError =>
  new ModelError("cut", "The model's answer broke off: what came was not in the provider's format.", { cause });

/** The provider packages give errors of a stream as plain data. */
type StreamError = { message?: unknown; statusCode?: unknown; code?: unknown };
const isStreamError = (error: unknown): error is StreamError => typeof error === "object" && error !== null && !(error instanceof Error);

/** Where a person knows it: the host, without a path that may hold a name or a key. */
const placeOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : "The provider");

/** `retry-after` in seconds or as a date, and the form in milliseconds that some providers send. */
function retryAfter(headers: Record<string, string> = {}): { retryAfterMs: number } | undefined {
  const ms = Number(headers["retry-after-ms"]);
  if (ms > 0) return { retryAfterMs: ms };
  const value = headers["retry-after"];
  if (value === undefined) return undefined;
  const seconds = Number(value);
  const wait = Number.isNaN(seconds) ? Date.parse(value) - Date.now() : seconds * 1_000;
  return wait > 0 ? { retryAfterMs: wait } : undefined;
}

/** Google gives the time in the body. */
function retryDelay(body = ""): { retryAfterMs: number } | undefined {
  const seconds = Number(/"retryDelay":\s*"([\d.]+)s"/.exec(body)?.[1]);
  return seconds > 0 ? { retryAfterMs: seconds * 1_000 } : undefined;
}

/** An account without credit gets none by waiting. OpenAI says so with the status of a rate limit. */
function isOutOfCredit(said: string, cause: unknown): boolean {
  const body = APICallError.isInstance(cause) ? cause.responseBody : isStreamError(cause) ? JSON.stringify(cause) : "";
  return /insufficient_quota|billing_hard_limit|credit balance|insufficient (credit|balance|funds)/i.test(`${said} ${body ?? ""}`);
}

function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error && error.cause.message !== "" ? `${error.message} (${error.cause.message})` : error.message;
}
