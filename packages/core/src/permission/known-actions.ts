import { closestMatch } from "../text/closest-match.ts";
import { actionTable } from "../tool/tool-table.ts";

/** Actions that rules may name besides tools. */
export const actions: readonly string[] = actionTable.map(({ name }) => name);

/** True if a rule may name this action. A name with `__` is a tool of an MCP server, which Baton knows only while the server runs. */
export const knowsAction = (action: string, known: readonly string[]): boolean => /[*?]|__/.test(action) || known.includes(action);

/** The message for an unknown action. `known`: all actions, including the names of tools. */
export function unknownActionMessage(action: string, known: readonly string[]): string {
  const match = closestMatch(action, known);
  const hint = match === undefined ? "" : `Did you mean "${match}"? `;
  return `There is no action "${action}". ${hint}The actions are: ${actions.join(", ")}; and the name of any tool.`;
}
