import type { ToolContext } from "../../tool/tool-types.ts";
import type { ServerRequestOptions } from "./connection.ts";
import { elicitationResult, elicitationQuestion } from "./elicitation.ts";

/** How a tool asks a server: its progress is the tool's output, and what the server asks is put to the person. */
export const callOptions = ({ signal, output, ask, raw, through }: ToolContext, server: string): ServerRequestOptions => ({
  raw,
  signal,
  through,
  onProgress: output,
  elicit: async (params) => elicitationResult(await ask(elicitationQuestion(server, params))),
});
