import type { Rule } from "../protocol/rule.ts";

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

/** A rule with `~` or `$HOME` at the start of its resource written out. `home` has no slash at its end. */
export function withHome<R extends Rule>(rule: R, home: string): R {
  const { resource } = rule;
  if (typeof resource !== "string") return rule;
  const rest = /^(?:~|\$HOME)(\/.*)?$/s.exec(resource);
  return rest ? { ...rule, resource: `${home}${rest[1] ?? ""}` } : rule;
}
