import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import type { CallOutcome } from "./endpoint-options.ts";
import type { Addresses } from "./place.ts";

/** The error with which a server answered, for the client; undefined where it did not answer with one. */
export function serverError({ raw }: CallOutcome, server: string, { outer }: Addresses): ProtocolError | undefined {
  if (!(raw instanceof Error) || !("code" in raw) || typeof raw.code !== "number") return undefined;
  const data = "data" in raw ? raw.data : undefined;
  const isPlaced = typeof data === "object" && data !== null && "uri" in data && typeof data.uri === "string";
  return new ProtocolError(raw.code, raw.message, isPlaced ? { ...data, uri: outer({ server, uri: String(data.uri) }) } : data);
}

/** Why there is no answer of the server: the error that it gave, or that it was not asked. */
export const noAnswerError = (called: CallOutcome, server: string, addresses: Addresses): ProtocolError =>
  serverError(called, server, addresses) ?? new ProtocolError(ProtocolErrorCode.InternalError, called.result.text);

export const invalidParamsError = (message: string, data?: unknown): ProtocolError =>
  new ProtocolError(ProtocolErrorCode.InvalidParams, message, data);
