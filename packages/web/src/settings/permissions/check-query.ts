import type { Api } from "../../connection/connection.ts";

/** The input of the tester: an access, or a call with its input as JSON. */
export type CheckDraft = { action: CheckAction; text: string; tool: string };

/** Actions that users check often, and calls of a tool. */
export const CHECK_ACTIONS = ["command", "read", "edit", "fetch", "mcp", "tool"] as const;
export type CheckAction = (typeof CHECK_ACTIONS)[number];

/** The label and an example for each action. */
export const CHECK_LABELS: Readonly<Record<CheckAction, { label: string; example: string }>> = {
  command: { label: "Command", example: "npm test && git push" },
  read: { label: "File to read", example: "src/main.ts" },
  edit: { label: "File to change", example: "src/main.ts" },
  fetch: { label: "Address", example: "https://example.com/" },
  mcp: { label: "Tool of a server, as server__tool", example: "files__read_text" },
  tool: { label: "Input, as JSON", example: '{ "path": "src/main.ts" }' },
};

export type CheckQuery = Parameters<Api["permission"]["check"]["query"]>[0][number];

/** The query for the daemon. Undefined if the input is empty; a message if it is invalid. */
export function toCheckQuery({ action, text, tool }: CheckDraft, cwd: string, mode: string): CheckQuery | { error: string } | undefined {
  const trimmed = text.trim();
  if (action !== "tool") return trimmed === "" ? undefined : { action, resource: trimmed, cwd, mode };
  if (tool.trim() === "") return undefined;
  const input = parseInput(trimmed);
  return input === undefined ? { error: "The input is not JSON." } : { tool: tool.trim(), input, cwd, mode };
}

function parseInput(text: string): unknown {
  if (text === "") return {};
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
