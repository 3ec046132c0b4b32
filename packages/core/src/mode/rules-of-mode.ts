import type { RuleSet } from "../permission/judge.ts";
import { deniesOf } from "../permission/layer.ts";
import type { Group, Mode } from "../protocol/mode.ts";
import type { PlacedRule, Rule } from "../protocol/rule.ts";
import { groups, type GroupFacts } from "./group.ts";

/**
 * What a mode means as rules. What its groups lack is a ceiling, so no rule of anyone brings it back; a limited group is
 * a ceiling with openings. What the mode's own rules deny is a ceiling too; the others stand above the defaults.
 * `everyModeSwitches`: switch_mode is in every mode, as it was before there was coordination.
 */
export function rulesOfMode(mode: Mode, { everyModeSwitches = false } = {}): RuleSet {
  const lacking = groups.flatMap((facts) =>
    ceilingsOf(
      facts,
      mode.groups.find((group) => nameOf(group) === facts.name),
    ),
  );
  const ceilings = everyModeSwitches ? lacking.filter(({ action }) => action !== "switch_mode") : lacking;
  const source = `mode ${mode.slug}`;
  const own = mode.permissions ?? [];
  const placed = (layer: PlacedRule["layer"]) => (rule: Rule) => ({ ...rule, layer, source });
  return {
    rules: own.filter(({ effect }) => effect !== "deny").map(placed("mode")),
    // The first is what the mode lacks, which delegation hands on.
    ceilings: [ceilings.map(placed("ceiling")), deniesOf(own.map(placed("ceiling")))],
  };
}

function ceilingsOf({ actions }: GroupFacts, group: Group | undefined): Limit[] {
  const closed = actions.map((action): Rule => ({ action, resource: "*", effect: "deny" }));
  if (group === undefined) return closed;
  if (typeof group === "string") return [];
  const { only, tools, reading } = group;
  if (reading) return closed.map((rule) => ({ ...rule, unless: "reads" }));
  if (tools) return [...closed, ...tools.map((tool): Rule => ({ action: tool, resource: "*", effect: "allow" }))];
  if (only) return [...closed, ...actions.flatMap((action) => only.map((resource): Rule => ({ action, resource, effect: "allow" })))];
  return [];
}

type Limit = Rule & Pick<PlacedRule, "unless">;

const nameOf = (group: Group) => (typeof group === "string" ? group : group.name);
