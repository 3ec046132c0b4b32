import { actionTable } from "@baton/core/tool/tool-table";
import type { Api } from "../../connection/connection.ts";

/** What is asked about: an access, or a call of a tool with its input as JSON. */
export type CheckDraft = { action: string; text: string; tool: string };

/** The actions that the form offers, and `tool` for a whole call of a tool. */
const FORMS: ReadonlyMap<string, { label: string; example: string }> = new Map([
  ...actionTable.flatMap(({ name, form }) => (form ? [[name, form] as const] : [])),
  ["tool", { label: "Input, as JSON", example: '{ "path": "src/main.ts" }' }],
]);

export const CHECK_ACTIONS: readonly string[] = [...FORMS.keys()];

/** What the text field asks for, with an example. */
export const checkForm = (action: string): { label: string; example: string } => FORMS.get(action) ?? { label: action, example: "" };

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
