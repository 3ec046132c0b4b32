import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import type { CallOutcome } from "./endpoint-options.ts";
import type { ResourceAddresses } from "./resource-address.ts";

/** The server's error for the client. Undefined if the server did not return an error. */
export function serverError({ raw }: CallOutcome, server: string, { toClient }: ResourceAddresses): ProtocolError | undefined {
  if (!(raw instanceof Error) || !("code" in raw) || typeof raw.code !== "number") return undefined;
  const data = "data" in raw ? raw.data : undefined;
  const hasAddress = typeof data === "object" && data !== null && "uri" in data && typeof data.uri === "string";
  return new ProtocolError(raw.code, raw.message, hasAddress ? { ...data, uri: toClient({ server, uri: String(data.uri) }) } : data);
}

/** The error for a call without an answer: the server's error, or the reason why the server was not called. */
export const noAnswerError = (called: CallOutcome, server: string, addresses: ResourceAddresses): ProtocolError =>
  serverError(called, server, addresses) ?? new ProtocolError(ProtocolErrorCode.InternalError, called.result.text);

export const invalidParamsError = (message: string, data?: unknown): ProtocolError =>
  new ProtocolError(ProtocolErrorCode.InvalidParams, message, data);
