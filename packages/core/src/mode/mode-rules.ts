import { denyRules } from "../permission/rule-layers.ts";
import type { RuleSet } from "../permission/judge.ts";
import { matchesWildcard } from "../permission/wildcard.ts";
import type { Group, LimitedGroup, Mode, ModeLimits, ModeSlug } from "../protocol/mode.ts";
import type { PlacedRule, Resource, Rule } from "../protocol/rule.ts";
import { groups, groupsOf, configurationSwitches, searchTools, toolName, type GroupFacts } from "./tool-groups.ts";

/**
 * What a mode means as rules. What its groups lack is a ceiling, so no rule of anyone brings it back; a limited group is
 * a ceiling with openings, and so are the file paths of the mode. What the mode's own rules deny is a ceiling too; the
 * others stand above the defaults. `everyModeSwitches`: switch_mode is in every mode, as it was before there was coordination.
 * What the mode is within holds as well: all its ceilings, and what it asks about.
 */
export function rulesOfMode(mode: Mode, { everyModeSwitches = false } = {}): RuleSet {
  const own = rulesOfLimits(mode, mode.slug, everyModeSwitches);
  if (!mode.within) return own;
  const around = rulesOfLimits(mode.within, mode.slug, everyModeSwitches);
  return {
    rules: [...around.rules.filter(({ effect }) => effect === "ask"), ...own.rules],
    ceilings: [...own.ceilings, ...around.ceilings],
  };
}

/**
 * What the groups of a mode lack, as one list to hand on. Where it is within another, what it has left of a group is
 * handed on as the other has it.
 */
export function missingGroupRules(mode: Mode): PlacedRule[] {
  const [own = [], around = []] = [mode, ...(mode.within ? [mode.within] : [])].map(
    (each) => rulesOfLimits(each, mode.slug, false).ceilings[0],
  );
  const isClosed = (action: string) => {
    const last = own.findLast((limit) => limit.action === action);
    return last?.effect === "deny" && last.resource === "*" && last.unless === undefined;
  };
  return [...own, ...around.filter(({ action }) => !isClosed(action))];
}

function rulesOfLimits(mode: ModeLimits, slug: ModeSlug, everyModeSwitches: boolean): RuleSet {
  const lacking = [...groups.flatMap((facts) => ceilingOf(facts, groupIn(mode, facts))), ...wayToTools(mode)];
  const presence = [
    ...(everyModeSwitches ? lacking.filter(({ action }) => action !== "switch_mode") : lacking),
    ...(mode.opened ?? []).map(({ action, resource }) => rule(action, resource, "allow")),
  ];
  const source = `mode ${slug}`;
  const own = mode.permissions ?? [];
  const placed = (layer: PlacedRule["layer"]) => (limit: Limit) => ({ ...limit, layer, source });
  return {
    rules: own.filter(({ effect }) => effect !== "deny").map(placed("mode")),
    // The first is what the mode lacks, which delegation hands on.
    ceilings: [presence, pathLimits(mode), targetLimits(mode), toolLimits(mode), denyRules(own.map(placed("ceiling")))]
      .filter((limits) => limits.length > 0 || limits === presence)
      .map((limits) => limits.map(placed("ceiling"))),
  };
}

type Limit = Rule & Pick<PlacedRule, "unless">;

const rule = (action: string, resource: Resource, effect: Rule["effect"]): Rule => ({ action, resource, effect });
const deny = (action: string, resource: Resource = "*"): Rule => rule(action, resource, "deny");
const allow = (action: string, resource: Resource = "*"): Rule => rule(action, resource, "allow");

const groupIn = ({ groups: given }: ModeLimits, { name }: GroupFacts): Group | undefined =>
  given.find((group) => (typeof group === "string" ? group : group.name) === name);

function ceilingOf(facts: GroupFacts, group: Group | undefined): Limit[] {
  const closed = facts.actions.map((action) => deny(action));
  if (group === undefined) return closed;
  if (typeof group === "string") return [];
  return [...resourceLimits(facts, group), ...toolsOfGroup(facts, group)];
}

/** Who has tools of servers may go and choose others. */
const wayToTools = (mode: ModeLimits): Limit[] => (groupsOf(mode).includes("mcp") ? configurationSwitches.map((tool) => allow(tool)) : []);

function resourceLimits({ actions, names }: GroupFacts, { fileRegex, deny: except, commandRegex, reading }: LimitedGroup): Limit[] {
  switch (names) {
    case "files":
      return actions.flatMap((action) => [
        ...(fileRegex === undefined ? [] : onlyFiles(action, [fileRegex])),
        ...(except === undefined ? [] : [deny(action, { regex: except })]),
      ]);
    case "commands":
      if (reading) return actions.map((action) => ({ ...deny(action), unless: "reads" }));
      return actions.flatMap((action) => (commandRegex === undefined ? [] : [deny(action), allow(action, { regex: commandRegex })]));
    case "things":
      return [];
  }
}

/** Files that match, inside the workspace: what lies outside has no path that an expression for the workspace could mean. */
function onlyFiles(action: string, patterns: readonly string[]): Rule[] {
  return [
    deny(action),
    ...patterns.map((regex) => allow(action, { regex })),
    deny(action, OUTSIDE),
    ...(action === "read" ? searchTools.map((tool) => allow(tool)) : []),
  ];
}

/** How the paths of files outside begin. As a wildcard, `/*` would mean the files of the workspace by their whole path as well. */
const OUTSIDE = { regex: "^(?:/|[A-Za-z]:[/\\\\])" };

function toolsOfGroup({ actions, tools, open }: GroupFacts, { tools: only }: LimitedGroup): Rule[] {
  if (!only) return [];
  const named = only.map(toolName);
  if (open) return [...actions.map((action) => deny(action)), ...named.map((tool) => allow(tool))];
  return tools.filter((tool) => !named.includes(tool)).map((tool) => deny(tool));
}

function pathLimits({ allowedFilePaths = [], disallowedFilePaths = [] }: ModeLimits): Rule[] {
  return ["read", "edit"].flatMap((action) => [
    ...(allowedFilePaths.length === 0 ? [] : onlyFiles(action, allowedFilePaths)),
    ...disallowedFilePaths.map((regex) => deny(action, { regex })),
  ]);
}

function targetLimits({ subagents, switchTargets }: ModeLimits): Rule[] {
  const only = (action: string, targets: readonly string[] | undefined) =>
    targets ? [deny(action), ...targets.map((target) => allow(action, target))] : [];
  return [...only("new_task", subagents), ...only("switch_mode", switchTargets)];
}

function toolLimits({ tools }: ModeLimits): Rule[] {
  const { allow: only, deny: without = [] } = tools ?? {};
  const known = groups.flatMap((group) => group.tools);
  const covered = (tool: string) => only?.some((pattern) => matchesWildcard(toolName(pattern), tool)) ?? true;
  const openGroups = groups.filter(({ open }) => open).flatMap(({ actions }) => actions);
  return [
    ...(only ? openGroups.map((action) => deny(action)) : []),
    ...(only ?? []).map((pattern) => allow(toolName(pattern))),
    ...known.filter((tool) => !covered(tool)).map((tool) => deny(tool)),
    ...without.map((pattern) => deny(toolName(pattern))),
  ];
}
