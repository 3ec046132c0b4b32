import { APICallError } from "@ai-sdk/provider";
import { ModelError } from "./provider.ts";

/** What a provider's failure means for us and for the person: what happened, where, what to do. */
export function faultOf(error: unknown): ModelError {
  if (error instanceof ModelError) return error;
  if (!APICallError.isInstance(error)) return new ModelError("cut", `The model's answer broke off: ${textOf(error)}`, { cause: error });
  const { statusCode: status, url } = error;
  const said = (error.responseBody ?? error.message).slice(0, 300);
  const options = { cause: error, ...retryAfter(error.responseHeaders) };
  if (status === undefined)
    return new ModelError("unreachable", `No answer from ${url}: ${textOf(error.cause ?? error)}. Is the server running?`, options);
  if (status === 401 || status === 403)
    return new ModelError("unauthorized", `${url} refused the key (${status}): ${said}. Check the provider's API key.`, options);
  if (status === 404) return new ModelError("not_found", `${url} does not know this model or address (404): ${said}`, options);
  if (status === 429) return new ModelError("rate_limited", `${url} asks to wait (429): ${said}`, options);
  if (status >= 500) return new ModelError("overloaded", `${url} has a fault of its own (${status}): ${said}`, options);
  if (status < 300) return new ModelError("cut", `The answer of ${url} broke off: ${textOf(error)}`, options);
  return new ModelError("bad_request", `${url} refused the request (${status}): ${said}`, options);
}

/** `retry-after` in seconds or as a date, and the form in milliseconds that some providers send. */
function retryAfter(headers: Record<string, string> = {}): { retryAfterMs?: number } {
  const ms = Number(headers["retry-after-ms"]);
  if (ms > 0) return { retryAfterMs: ms };
  const value = headers["retry-after"];
  if (value === undefined) return {};
  const seconds = Number(value);
  const wait = Number.isNaN(seconds) ? Date.parse(value) - Date.now() : seconds * 1_000;
  return wait > 0 ? { retryAfterMs: wait } : {};
}

function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error && error.cause.message !== "" ? `${error.message} (${error.cause.message})` : error.message;
}
