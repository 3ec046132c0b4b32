import { judge, type GatedAccess, type RuleSet } from "@baton/core/permission/judge";
import { allowedPreamble } from "@baton/core/permission/shell-preamble";
import type { Access, Verdict } from "@baton/core/protocol/rule";

/** Makes accesses exact, or says why that is impossible. */
type Gate = (declared: readonly Access[]) => GatedAccess[] | { refused: string };

/**
 * Judges accesses that `gate` makes exact. A command that would ask, but begins with a text that a rule allows as a beginning,
 * is judged again: its beginning by that rule, and the rest as a command of its own.
 */
export function judgeAccesses(declared: readonly Access[], rules: RuleSet, tool: string, gate: Gate): Verdict | { refused: string } {
  const gated = gate(declared);
  if ("refused" in gated) return gated;
  const verdict = judge(rules, tool, gated);
  const [command, ...others] = declared;
  if (verdict.effect !== "ask" || command?.action !== "command" || others.length > 0) return verdict;
  const parts = splitAtLead(command, rules, tool, gate);
  const again = parts && judge(rules, tool, parts);
  return again?.effect === "allow" ? again : verdict;
}

/** The accesses of the beginning and of the rest. Undefined if no rule allows such a beginning. */
function splitAtLead({ action, resource }: Access, rules: RuleSet, tool: string, gate: Gate): GatedAccess[] | undefined {
  const allowed = allowedPreamble(resource, rules.rules, tool);
  if (!allowed) return undefined;
  const { lead, leads } = allowed;
  const beginning = gate([{ action, resource: lead.replace(/(?: &&|;) $/, "") }]);
  const rest = resource.slice(lead.length);
  const behind = splitAtLead({ action, resource: rest }, rules, tool, gate) ?? gate([{ action, resource: rest }]);
  if ("refused" in beginning || "refused" in behind) return undefined;
  // Rules about the whole text apply as well.
  const own = beginning.map((access) =>
    access.action === action ? { ...access, leads, also: [...(access.also ?? []), resource] } : access,
  );
  return [...own, ...behind];
}
