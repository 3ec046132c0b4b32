import { isRecord } from "@baton/core/text/json";

type Call = { tool: string; input: unknown };

const TOOLS: Readonly<Record<string, string>> = { view: "read_file", create: "write_file", str_replace: "edit_file" };

/** Reads a call of Anthropic's text editor tool, whose `command` says which tool is meant. Undefined if it is no such call. */
export function editorCall({ tool, input }: Call): Call | undefined {
  if (!/^str_?replace_?(?:based_?edit_?tool|editor)$/i.test(tool) || !isRecord(input)) return undefined;
  const { command, view_range: range, ...rest } = input;
  const meant = typeof command === "string" ? TOOLS[command] : undefined;
  if (meant === undefined) return undefined;
  if (!Array.isArray(range)) return { tool: meant, input: rest };
  const [start, end] = range as unknown[];
  return { tool: meant, input: { ...rest, start_line: start, ...(end === -1 ? {} : { end_line: end }) } };
}
