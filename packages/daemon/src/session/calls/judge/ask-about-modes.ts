import { canDelegateTo } from "@baton/core/mode/limit-coordinator-to-origin";
import { judge, type GatedAccess, type RuleSet } from "@baton/core/permission/judge";
import type { Mode, ModeSlug } from "@baton/core/protocol/mode";
import type { SourcedRule } from "@baton/core/protocol/rule";

const MODE_CHANGES: ReadonlySet<string> = new Set(["switch_mode", "enter_plan", "exit_plan"]);
const changesMode = ({ action, resource }: GatedAccess): boolean =>
  MODE_CHANGES.has(action) || (action === "configure" && resource === "enter-configuration-mode");

/** A rule that allows every action approves no change of the mode. A rule that names the action does. */
export function askToChangeMode(access: GatedAccess, tool: string, rules: RuleSet): GatedAccess {
  if (!changesMode(access) || judge(rules, tool, [access]).effect !== "allow") return access;
  const naming = rules.rules.filter(({ action, effect }) => action !== "*" || effect !== "allow");
  if (judge({ ...rules, rules: naming }, tool, [access]).effect === "allow") return access;
  return {
    ...access,
    floor: asking(access, `a rule for every action does not approve a change of the mode, only one for ${access.action} does`),
  };
}

/**
 * Nobody chose the coordinator of a coordination. So the user is asked before it delegates to a mode to which the mode `origin`, where
 * coordination started, cannot delegate.
 */
export function askToDelegate(
  access: GatedAccess,
  origin: ModeSlug | undefined,
  modeOf: (slug: ModeSlug) => Mode | undefined,
): GatedAccess {
  if (origin === undefined || access.action !== "new_task" || canDelegateTo(modeOf(origin), access.resource)) return access;
  const source = `the mode ${origin}, where coordination started, does not delegate this`;
  return { ...access, floor: { ...asking(access, source), once: true } };
}

const asking = ({ action, resource }: GatedAccess, source: string): SourcedRule => ({
  action,
  resource,
  effect: "ask",
  layer: "gate",
  source,
});
