import type { Api } from "../../connection/connection.ts";

/** What is asked about: an access, or a call of a tool with its input as JSON. */
export type CheckDraft = { action: CheckAction; text: string; tool: string };

/** The accesses that persons ask about, in the words of rules, and a call of a tool. */
export const CHECK_ACTIONS = ["command", "read", "edit", "fetch", "mcp", "tool"] as const;
export type CheckAction = (typeof CHECK_ACTIONS)[number];

/** What the text is, for each. */
export const CHECK_LABELS: Readonly<Record<CheckAction, { label: string; example: string }>> = {
  command: { label: "Command", example: "npm test && git push" },
  read: { label: "File to read", example: "src/main.ts" },
  edit: { label: "File to change", example: "src/main.ts" },
  fetch: { label: "Address", example: "https://example.com/" },
  mcp: { label: "Tool of a server, as server__tool", example: "files__read_text" },
  tool: { label: "Input, as JSON", example: '{ "path": "src/main.ts" }' },
};

export type CheckQuery = Parameters<Api["permission"]["check"]["query"]>[0][number];

/** The question as it is sent; nothing while there is nothing to ask, and what is wrong with it where it is none. */
export function toCheckQuery({ action, text, tool }: CheckDraft, cwd: string, mode: string): CheckQuery | { fault: string } | undefined {
  const said = text.trim();
  if (action !== "tool") return said === "" ? undefined : { action, resource: said, cwd, mode };
  if (tool.trim() === "") return undefined;
  const input = inputOf(said);
  return input === undefined ? { fault: "The input is no JSON." } : { tool: tool.trim(), input, cwd, mode };
}

function inputOf(text: string): unknown {
  if (text === "") return {};
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
