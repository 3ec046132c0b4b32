import { denyRules, limitingPart } from "../permission/rule-layers.ts";
import type { RuleSet } from "../permission/judge.ts";
import { matchesWildcard } from "../permission/wildcard.ts";
import type { Group, GroupName, LimitedGroup, Mode, ModeLimits, ModeSlug } from "../protocol/mode.ts";
import type { SourcedRule, Resource, Rule } from "../protocol/rule.ts";
import { toolGroups, groupsOf, configurationSwitches, fileSearchTools, type GroupFacts } from "./tool-groups.ts";
import { canonicalToolName } from "../tool/tool-table.ts";

/**
 * The rules of a mode. Groups that the mode lacks, its file limits and its own denies are ceilings, so no other rule can lift them. Its
 * other rules are stronger than the defaults. `everyModeSwitches`: every mode has `switch_mode`, as before coordination existed.
 * A mode with `within` also has the ceilings of that mode and the rules by which it asks.
 */
export function rulesOfMode(mode: Mode, { everyModeSwitches = false } = {}): RuleSet {
  const own = limitRules(mode, mode.slug, everyModeSwitches);
  if (!mode.within) return own;
  const outer = outerLimits(mode).map(({ limits, slug }) => limitRules(limits, slug, everyModeSwitches));
  return {
    rules: [...outer.flatMap(({ rules }) => rules.filter(({ effect }) => effect === "ask")), ...own.rules],
    ceilings: [...own.ceilings, ...outer.flatMap(({ ceilings }) => ceilings)],
  };
}

/** The limits that a mode stays within, with the mode that each belongs to. */
function outerLimits({ slug, within }: Mode): { limits: ModeLimits; slug: ModeSlug }[] {
  if (!within) return [];
  const outer = within.slug ?? slug;
  return [within, ...(within.within ? [within.within] : [])].map((limits) => ({ limits, slug: outer }));
}

/**
 * The ceilings for the groups that a mode lacks, for delegated sessions to inherit. A mode with `within` also passes on that mode's
 * limits for the groups that it has.
 */
export function missingGroupRules(mode: Mode): SourcedRule[] {
  const presence = (limits: ModeLimits, slug: ModeSlug) => limitRules(limits, slug, false).ceilings[0] ?? [];
  const own = presence(mode, mode.slug);
  const outer = outerLimits(mode).flatMap(({ limits, slug }) => presence(limits, slug));
  const isClosed = (action: string) => {
    const last = own.findLast((limit) => limit.action === action);
    return last?.effect === "deny" && last.resource === "*" && last.unless === undefined;
  };
  return [...own, ...outer.filter(({ action }) => !isClosed(action))];
}

/** The limits of a mode for the actions and tools of some groups, together with other lists of limits, as one list for a delegated session. */
export function inheritedLimits(mode: Mode, names: readonly GroupName[], others: readonly (readonly SourcedRule[])[]): SourcedRule[] {
  const inside = toolGroups.filter(({ name }) => names.includes(name));
  const known = inside.flatMap(({ actions, tools }) => [...actions, ...tools]);
  const concerns = ({ action }: SourcedRule) => known.some((name) => matchesWildcard(action, name));
  const lists = rulesOfMode(mode).ceilings.map((list) => limitingPart(list.filter(concerns)));
  return combinedLimits([...others, ...lists]);
}

/**
 * Lists of limits as one list. A list in which later rules take back earlier ones cannot be combined with another such list. Of those
 * only the first one is kept whole, and the others keep their denies, which is stricter.
 */
export function combinedLimits(lists: readonly (readonly SourcedRule[])[]): SourcedRule[] {
  const all = lists.map(limitingPart);
  const isPlain = (list: readonly SourcedRule[]) => list.every(({ effect }) => effect !== "allow");
  const [whole = [], ...more] = all.filter((list) => !isPlain(list));
  return [...whole, ...[...all.filter(isPlain), ...more].flat().filter(({ effect }) => effect !== "allow")];
}

function limitRules(mode: ModeLimits, slug: ModeSlug, everyModeSwitches: boolean): RuleSet {
  const missing = [...toolGroups.flatMap((facts) => groupCeiling(facts, groupIn(mode, facts))), ...configurationRules(mode)];
  const presence = [
    ...scriptToolLimits(mode),
    ...(everyModeSwitches ? missing.filter(({ action }) => action !== "switch_mode") : missing),
    ...(mode.opened ?? []).map(({ action, resource }) => rule(action, resource, "allow")),
  ];
  const own = mode.permissions ?? [];
  const placed =
    (layer: SourcedRule["layer"], part?: string) =>
    ({ group, ...limit }: Limit): SourcedRule => ({
      ...limit,
      layer,
      source: modeSource(slug, group === undefined ? part : `group ${group}`),
    });
  const ceilings = [
    presence.map(placed("ceiling")), // what delegated sessions inherit
    pathLimits(mode).map(placed("ceiling")),
    targetLimits(mode).map(placed("ceiling")),
    toolLimits(mode).map(placed("ceiling", "tools")),
    denyRules(own.map(placed("ceiling", "permissions"))),
  ];
  return {
    rules: own.filter(({ effect }) => effect !== "deny").map(placed("mode")),
    ceilings: ceilings.filter((limits, i) => limits.length > 0 || i === 0),
  };
}

/** The source of a mode's rule. `part`: the field of the mode that holds it, unless it follows from a group that the mode lacks. */
const modeSource = (slug: ModeSlug, part: string | undefined): string => (part === undefined ? `mode ${slug}` : `mode ${slug}, ${part}`);

/** Why a tool is missing, from the source of the rule of a mode that denies it. Undefined for a rule of another source. */
export function modeLimitReason(source: string, group: GroupName | undefined): string | undefined {
  const [, slug, part] = /^mode ([^,]+)(?:, (.+))?$/.exec(source) ?? [];
  if (slug === undefined) return undefined;
  if (part === "permissions") return `a rule in the permissions of the mode ${slug} denies it`;
  if (part === "tools") return `the tools of the mode ${slug} leave it out`;
  if (part !== undefined) return `the ${part} of the mode ${slug} leaves it out`;
  return `${slug} has no ${group ?? "such"} tools`;
}

/** `group`: the mode has this group, but not the whole of it. */
type Limit = Rule & Pick<SourcedRule, "unless"> & { group?: string };

const rule = (action: string, resource: Resource, effect: Rule["effect"]): Rule => ({ action, resource, effect });
const deny = (action: string, resource: Resource = "*"): Rule => rule(action, resource, "deny");
const allow = (action: string, resource: Resource = "*"): Rule => rule(action, resource, "allow");

const groupIn = ({ groups }: ModeLimits, { name }: GroupFacts): Group | undefined =>
  groups.find((group) => (typeof group === "string" ? group : group.name) === name);

function groupCeiling(facts: GroupFacts, group: Group | undefined): Limit[] {
  const closed = facts.actions.map((action) => deny(action));
  if (group === undefined) return closed;
  if (typeof group === "string") return [];
  return [...resourceLimits(facts, group), ...groupToolLimits(facts, group).map((limit) => ({ ...limit, group: facts.name }))];
}

/** A mode with MCP tools may also enter configuration mode and select others. */
const configurationRules = (mode: ModeLimits): Limit[] =>
  groupsOf(mode).includes("mcp") ? configurationSwitches.map((tool) => allow(tool)) : [];

/** Input can make a program run any command, so a mode that limits commands does not type into them. */
const INPUT = "input";

function resourceLimits({ actions, names }: GroupFacts, { fileRegex, deny: except, commandRegex, reading }: LimitedGroup): Limit[] {
  switch (names) {
    case "files":
      return actions.flatMap((action) => [
        ...(fileRegex === undefined ? [] : onlyFiles(action, [fileRegex])),
        ...(except === undefined ? [] : [deny(action, { regex: except })]),
      ]);
    case "commands":
      if (reading) return actions.map((action) => (action === INPUT ? deny(action) : { ...deny(action), unless: "reads" }));
      if (commandRegex === undefined) return [];
      return actions.flatMap((action) => (action === INPUT ? [deny(action)] : [deny(action), allow(action, { regex: commandRegex })]));
    case "things":
      return [];
  }
}

/** Allows only matching files inside the workspace. Expressions describe relative paths, so no file outside can match. */
function onlyFiles(action: string, patterns: readonly string[]): Rule[] {
  return [
    deny(action),
    ...patterns.map((regex) => allow(action, { regex })),
    deny(action, ABSOLUTE_PATH),
    ...(action === "read" ? fileSearchTools.map((tool) => allow(tool)) : []),
  ];
}

/** Matches the beginning of absolute paths. The wildcard `/*` would also match files of the workspace by their absolute paths. */
const ABSOLUTE_PATH = { regex: "^(?:/|[A-Za-z]:[/\\\\])" };

function groupToolLimits({ actions, tools, open }: GroupFacts, { tools: allowed }: LimitedGroup): Rule[] {
  if (!allowed) return [];
  const names = allowed.map(canonicalToolName);
  if (open) return [...actions.map((action) => deny(action)), ...names.map((tool) => allow(tool))];
  return tools.filter((tool) => !names.includes(tool)).map((tool) => deny(tool));
}

/** The groups whose actions a tool that is a file can declare. */
const GROUPS_OF_FILE_TOOLS: ReadonlySet<string> = new Set(["read", "edit", "browser", "command"]);

/** A mode that lists the tools of such a group only has the script tools that it lists. */
function scriptToolLimits({ groups: list }: ModeLimits): Limit[] {
  const listed = list.flatMap((group) =>
    typeof group === "object" && group.tools && GROUPS_OF_FILE_TOOLS.has(group.name) ? [group.tools] : [],
  );
  return listed.length === 0
    ? []
    : [deny(SCRIPT_TOOL), ...listed.flat().map((name) => allow(SCRIPT_TOOL, name))].map((limit) => ({ ...limit, group: "tools" }));
}

/** The action of tools that are files. */
const SCRIPT_TOOL = "tool";

function pathLimits({ allowedFilePaths = [], disallowedFilePaths = [] }: ModeLimits): Rule[] {
  return ["read", "edit"].flatMap((action) => [
    ...(allowedFilePaths.length === 0 ? [] : onlyFiles(action, allowedFilePaths)),
    ...disallowedFilePaths.map((regex) => deny(action, { regex })),
  ]);
}

function targetLimits({ subagents, switchTargets }: ModeLimits): Rule[] {
  const allowed = (action: string, targets: readonly string[] | undefined) =>
    targets ? [deny(action), ...targets.map((target) => allow(action, target))] : [];
  return [...allowed("new_task", subagents), ...allowed("switch_mode", switchTargets)];
}

function toolLimits({ tools }: ModeLimits): Rule[] {
  const { allow: allowed, deny: denied = [] } = tools ?? {};
  const builtinTools = toolGroups.flatMap((group) => group.tools);
  const isAllowed = (tool: string) => allowed?.some((pattern) => matchesWildcard(canonicalToolName(pattern), tool)) ?? true;
  const openGroups = [...toolGroups.filter(({ open }) => open).flatMap(({ actions }) => actions), SCRIPT_TOOL];
  return [
    ...(allowed ? openGroups.map((action) => deny(action)) : []),
    ...(allowed ?? []).map((pattern) => allow(canonicalToolName(pattern))),
    ...builtinTools.filter((tool) => !isAllowed(tool)).map((tool) => deny(tool)),
    ...denied.map((pattern) => deny(canonicalToolName(pattern))),
  ];
}
