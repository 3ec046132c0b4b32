import { omitUndefined } from "@baton/core/text/omit-undefined";
import { failed, type ToolExecutionResult, type ClientExchange } from "../../tool/tool-types.ts";

/** In the newer protocol: a server's question to the client before it answers. */
export type InputRequired = { resultType: "input_required"; [key: string]: unknown };

export const isInputRequired = (result: object): result is InputRequired =>
  "resultType" in result && result.resultType === "input_required";

/** The result of a call that needs input from the client. */
export const inputRequiredOutcome = (server: string): ToolExecutionResult =>
  failed(`${server} needs input from the client first.`, { end: "input required" });

/** The fields of another agent's request that are forwarded to the server. Only the newer protocol supports them. */
export function forwardedFields(through: ClientExchange | undefined, isModern: boolean): Carried {
  if (!through || !isModern) return {};
  const { inputResponses, requestState, capabilities, logLevel } = through;
  const meta = {
    ...omitUndefined({ "io.modelcontextprotocol/clientCapabilities": capabilities, "io.modelcontextprotocol/logLevel": logLevel }),
  };
  return {
    ...omitUndefined({ inputResponses }),
    ...omitUndefined({ requestState }),
    ...(Object.keys(meta).length > 0 ? { _meta: meta } : {}),
  };
}

type Carried = { inputResponses?: Record<string, unknown>; requestState?: string; _meta?: Record<string, unknown> };
