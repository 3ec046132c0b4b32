import type { ToolContext } from "../../tool/tool-types.ts";
import type { ServerRequestOptions } from "./server-connection.ts";
import { elicitationResult, elicitationQuestion } from "./elicitation.ts";

/** The options of a tool's request to a server. Progress becomes output of the tool, and questions of the server go to the user. */
export const callOptions = ({ signal, output, ask, raw, through }: ToolContext, server: string): ServerRequestOptions => ({
  raw,
  signal,
  through,
  onProgress: output,
  elicit: async (params) => elicitationResult(await ask(elicitationQuestion(server, params))),
});
