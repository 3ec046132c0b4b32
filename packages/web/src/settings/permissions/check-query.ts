import { actionTable } from "@baton/core/tool/tool-table";
import { parseJson } from "@baton/core/text/json";
import type { Api } from "../../connection/connection-types.ts";

/** The input of the tester: an access, or a call of a tool with its input as JSON. */
export type CheckDraft = { action: string; text: string; tool: string };

/** The actions that the form offers, and `tool` for a whole call of a tool. */
const FORMS: ReadonlyMap<string, { label: string; example: string }> = new Map([
  ...actionTable.flatMap(({ name, form }) => (form ? [[name, form] as const] : [])),
  ["tool", { label: "Input, as JSON", example: '{ "path": "src/main.ts" }' }],
]);

export const CHECK_ACTIONS: readonly string[] = [...FORMS.keys()];

/** The label of the text field, with an example. */
export const checkForm = (action: string): { label: string; example: string } => FORMS.get(action) ?? { label: action, example: "" };

export type CheckQuery = Parameters<Api["permission"]["check"]["query"]>[0][number];

/** The query for the daemon. Undefined if the input is empty; a message if it is invalid. */
export function toCheckQuery({ action, text, tool }: CheckDraft, cwd: string, mode: string): CheckQuery | { error: string } | undefined {
  const trimmed = text.trim();
  if (action !== "tool") return trimmed === "" ? undefined : { action, resource: trimmed, cwd, mode };
  if (tool.trim() === "") return undefined;
  const input = trimmed === "" ? {} : parseJson(trimmed);
  return input === undefined ? { error: "The input is not JSON." } : { tool: tool.trim(), input, cwd, mode };
}
