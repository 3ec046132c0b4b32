import type { ToolContext } from "../../tool/tool-types.ts";
import type { AskOptions } from "./connection.ts";
import { elicitResultOf, questionOf } from "./elicitation.ts";

/** How a tool asks a server: its progress is the tool's output, and what the server asks is put to the person. */
export const askingIn = ({ signal, output, ask, raw, through }: ToolContext, server: string): AskOptions => ({
  raw,
  signal,
  through,
  onProgress: output,
  elicit: async (params) => elicitResultOf(await ask(questionOf(server, params))),
});
