import type { Rule } from "../protocol/rule.ts";
import { closestMatch } from "../text/closest-match.ts";

/** Actions that rules may name besides tools. */
export const actions: readonly string[] = [
  "read",
  "edit",
  "command",
  "fetch",
  "browser",
  "mcp",
  "external_directory",
  "question",
  "session",
  "switch_mode",
  "coordinate_mode",
  "enter_plan",
  "exit_plan",
  "new_task",
  "configure",
  "loop_guard",
];

/** Whether a rule may name this action. Tools of MCP servers are known only while their server runs; their names hold two underscores. */
export const knowsAction = (action: string, known: readonly string[]): boolean => /[*?]|__/.test(action) || known.includes(action);

/** What to say of an action that there is not; `known` are all that there are, tools among them. */
export function unknownAction(action: string, known: readonly string[]): string {
  const meant = closestMatch(action, known);
  return `There is no action "${action}". ${meant === undefined ? "" : `Did you mean "${meant}"? `}The actions are: ${actions.join(", ")}; and the name of any tool.`;
}

/** A rule with `~` or `$HOME` at the start of its resource written out. `home` has no slash at its end. */
export function expandHome<R extends Rule>(rule: R, home: string): R {
  const { resource } = rule;
  if (typeof resource !== "string") return rule;
  const rest = /^(?:~|\$HOME)(\/.*)?$/s.exec(resource);
  return rest ? { ...rule, resource: `${home}${rest[1] ?? ""}` } : rule;
}
