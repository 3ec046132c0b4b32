import { APICallError, JSONParseError, LoadAPIKeyError, TypeValidationError } from "@ai-sdk/provider";
import { isOverflow, providerErrorMessage } from "./provider-error-message.ts";
import { ModelError } from "./model-port.ts";

/** Converts an error of a provider to a failure with a message for the user: what happened, where, what to do. */
export function toModelFault(error: unknown): ModelError {
  const own = findModelError(error);
  if (own) return own;
  if (LoadAPIKeyError.isInstance(error)) return new ModelError("unauthorized", `There is no API key: ${error.message}`, { cause: error });
  if (APICallError.isInstance(error)) return fromResponse(error);
  if (isParsing(error)) return unreadable(error);
  if (isStreamError(error)) return fromStream(error);
  return new ModelError("cut", `The model's answer was cut off: ${textOf(error)}`, { cause: error });
}

/** A `ModelError` that a provider package may have wrapped. */
function findModelError(error: unknown): ModelError | undefined {
  if (error instanceof ModelError) return error;
  return error instanceof Error ? findModelError(error.cause) : undefined;
}

/** The messages of undici and the system for a connection that the other side closed. */
const CLOSED = /other side closed|terminated|ECONNRESET|EPIPE/;

function fromResponse(error: APICallError): ModelError {
  const { statusCode: status, url, responseHeaders } = error;
  const host = hostOf(url);
  if (status === undefined && CLOSED.test(textOf(error.cause ?? error)))
    return new ModelError("cut", `${host} closed the connection before the answer was complete.`, { cause: error });
  if (status === undefined)
    return new ModelError("unreachable", `No answer from ${url}: ${textOf(error.cause ?? error)}. Is the server running?`, {
      cause: error,
    });
  if (status < 300)
    return isParsing(error.cause)
      ? unreadable(error)
      : new ModelError("cut", `The answer of ${host} was cut off: ${textOf(error)}`, { cause: error });
  const message = providerErrorMessage(error.responseBody) ?? error.message;
  return fromStatus({ status, message, host }, { cause: error, ...(retryAfter(responseHeaders) ?? retryDelay(error.responseBody)) });
}

/** An error in the middle of a stream. */
function fromStream(error: StreamError): ModelError {
  const message = providerErrorMessage(error) ?? "it gave no reason";
  const status = [error.statusCode, error.code].find((each) => typeof each === "number") ?? 500;
  return fromStatus({ status, message, host: "The provider" }, { cause: error });
}

/** `sent`: the HTTP status, if the body names another one. */
type Answer = { status: number; message: string; host: string; sent?: number };

function fromStatus({ status, message, host, sent = status }: Answer, options: { cause: unknown; retryAfterMs?: number }): ModelError {
  if (status === 402 || isOutOfCredit(message, options.cause))
    return new ModelError(
      "unauthorized",
      `${host}: the quota is used up (${sent}): ${message}. Add credit there, or choose another model.`,
      options,
    );
  if (![401, 403, 404, 429].includes(status) && isOverflow(message, status))
    return new ModelError("overflow", `The conversation is longer than the model can read: ${message}`, options);
  if (status === 401 || status === 403)
    return new ModelError("unauthorized", `${host} refused the key (${sent}): ${message}. Check the provider's API key.`, options);
  if (status === 404) return new ModelError("not_found", `${host} does not know this model or address (404): ${message}`, options);
  if (status === 429) return new ModelError("rate_limited", `Rate limited by ${host} (429): ${message}`, options);
  if (status === 408 || status === 409) return new ModelError("overloaded", `${host} is busy (${sent}): ${message}`, options);
  if (status === 503 || status === 529) return new ModelError("overloaded", `${host} is overloaded (${sent}): ${message}`, options);
  if (status >= 500) return new ModelError("overloaded", `${host} failed (${sent}): ${message}`, options);
  return new ModelError("bad_request", `${host} refused the request (${sent}): ${message}`, options);
}

/** A successful response that is not a stream: a web page, an error, or a complete answer. */
export function notAStreamFault(body: string, { url, status, type }: { url: string; status: number; type: string | null }): ModelError {
  const host = hostOf(url);
  const came = `(${status}${type === null ? "" : `, ${type}`})`;
  const message = providerErrorMessage(body);
  if (body.trimStart().startsWith("<")) {
    const page = message === undefined ? "" : `: ${message}`;
    return new ModelError("cut", `${host} sent a web page instead of an answer ${came}${page}. Check the provider's baseUrl.`);
  }
  const error = errorIn(body);
  if (error)
    return fromStatus({ status: error.status, message: message ?? "it gave no reason", host, sent: status }, { cause: error.cause });
  return new ModelError(
    "bad_request",
    `${host} did not stream its answer ${came}: ${body.trim().replaceAll(/\s+/g, " ").slice(0, 300)}. Baton needs a server that streams.`,
  );
}

/** The error in a body, and its status. */
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
  new ModelError("cut", "The model's answer was cut off: the response is not in the provider's format.", { cause });

/** Provider packages report errors in a stream as plain data. */
type StreamError = { message?: unknown; statusCode?: unknown; code?: unknown };
const isStreamError = (error: unknown): error is StreamError => typeof error === "object" && error !== null && !(error instanceof Error);

/** The host of an address. The path is left out, because it may contain a name or a key. */
const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : "The provider");

/** Reads `retry-after` in seconds or as a date, and the `retry-after-ms` of some providers. */
function retryAfter(headers: Record<string, string> = {}): { retryAfterMs: number } | undefined {
  const ms = Number(headers["retry-after-ms"]);
  if (ms > 0) return { retryAfterMs: ms };
  const value = headers["retry-after"];
  if (value === undefined) return undefined;
  const seconds = Number(value);
  const wait = Number.isNaN(seconds) ? Date.parse(value) - Date.now() : seconds * 1_000;
  return wait > 0 ? { retryAfterMs: wait } : undefined;
}

/** Google sends the delay in the body. */
function retryDelay(body = ""): { retryAfterMs: number } | undefined {
  const seconds = Number(/"retryDelay":\s*"([\d.]+)s"/.exec(body)?.[1]);
  return seconds > 0 ? { retryAfterMs: seconds * 1_000 } : undefined;
}

/** True if the account has no credit. Waiting does not help, although OpenAI sends the status of a rate limit. */
function isOutOfCredit(message: string, cause: unknown): boolean {
  const data = isStreamError(cause) ? JSON.stringify(cause) : "";
  const body = APICallError.isInstance(cause) ? cause.responseBody : data;
  return /insufficient_quota|billing_hard_limit|credit balance|insufficient (credit|balance|funds)/i.test(`${message} ${body ?? ""}`);
}

function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error && error.cause.message !== "" ? `${error.message} (${error.cause.message})` : error.message;
}
