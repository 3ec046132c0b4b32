import { failed, type Outcome, type ClientExchange } from "../../tool/tool-types.ts";

/** What a server of the newer protocol asks the client for, before it answers. */
export type InputRequired = { resultType: "input_required"; [key: string]: unknown };

export const isInputRequired = (result: object): result is InputRequired =>
  "resultType" in result && result.resultType === "input_required";

/** The end of a call to which the client has to add something. */
export const inputRequiredOutcome = (server: string): Outcome =>
  failed(`${server} asks the client for something first.`, { end: "input required" });

/** What of a request of another agent's client goes to the server with ours. Only the newer protocol has places for it. */
export function forwardedFields(through: ClientExchange | undefined, isModern: boolean): Carried {
  if (!through || !isModern) return {};
  const { inputResponses, requestState, capabilities, logLevel } = through;
  const meta = {
    ...(capabilities ? { "io.modelcontextprotocol/clientCapabilities": capabilities } : {}),
    ...(logLevel === undefined ? {} : { "io.modelcontextprotocol/logLevel": logLevel }),
  };
  return {
    ...(inputResponses ? { inputResponses } : {}),
    ...(requestState === undefined ? {} : { requestState }),
    ...(Object.keys(meta).length > 0 ? { _meta: meta } : {}),
  };
}

type Carried = { inputResponses?: Record<string, unknown>; requestState?: string; _meta?: Record<string, unknown> };
