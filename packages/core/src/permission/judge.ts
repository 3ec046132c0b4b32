import type { Access, AccessVerdict, Effect, PlacedRule, Resource, Verdict } from "../protocol/rule.ts";
import { resourceText } from "../text/rule-text.ts";
import { matchesResource, matchesWildcard } from "./wildcard.ts";

/**
 * All rules that hold for a call. `rules` are ordered low to high and the last match wins. In each of the `ceilings` the last
 * match wins too, and what it says can only make the answer stricter.
 */
export type RuleSet = {
  rules: readonly PlacedRule[];
  ceilings: readonly (readonly PlacedRule[])[];
  /** The folder that paths of files are relative to, whole: a rule that gives a whole path means what lies in there, too. */
  workspace?: string | undefined;
  /** While the person's own rules cannot be read, this denies what would otherwise ask. */
  insteadOfAsking?: PlacedRule | undefined;
};

/** An access with what its gate already says about it. */
export type Gated = Access & {
  /** What no rule can go below. */
  floor?: PlacedRule;
  /** What holds where nobody said anything: it beats the defaults, and any rule of anyone beats it. */
  given?: PlacedRule;
  /** Other texts for the same thing, such as a program's base name. What rules say of them, and not of everything, holds as well. */
  also?: readonly string[];
  /** It can only read: it neither writes, runs code of others nor sends. */
  reads?: boolean;
  /** How hard the command that it belongs to is to understand at a glance, from 0 to 1. */
  complexity?: number;
  /** The text of a rule that allows this as the beginning of a longer command. */
  leads?: string;
  /** The words that say what a command does, such as `gh pr merge`. A rule that names them satisfies a floor that asks. */
  verb?: string;
  /** The text this is a part of. Who allowed exactly all of it has seen this part, too. */
  within?: Access;
  /** A command that only changes the files that it names. Rules that allow all of these changes stand in for the defaults about it. */
  onlyEdits?: true;
  /** Nobody knows whether it happens. Only what a person, a project or a gate forbids or asks about holds for it. */
  suspected?: true;
  /** The resource is a folder, and the call touches every file in it. */
  below?: FilesBelow;
};

/**
 * The files below a folder, as accesses of their own, in folders that `enters` lets in. `isWhole` is false where there are
 * more files than can be looked at.
 */
export type FilesBelow = (enters: (folder: string) => boolean) => { files: readonly Access[]; isWhole: boolean };

const strictness: Record<Effect, number> = { allow: 0, ask: 1, deny: 2 };

/** How strict; of two that are as strict the one that says more counts, and that is what a gate found. */
const weight = ({ effect, rule }: Said): number => strictness[effect] * 2 + (rule?.layer === "gate" ? 1 : 0);

/**
 * What a call of `tool` that touches `accesses` may do. The strictest access decides; one without a matching rule asks;
 * a call that states no access asks.
 */
export function judge(ruleSet: RuleSet, tool: string, accesses: readonly Gated[]): Verdict {
  const covering = accesses.some(({ onlyEdits }) => onlyEdits) ? coveringRule(ruleSet, tool, accesses) : undefined;
  const verdicts = accesses.flatMap((access) => {
    const judged = access.onlyEdits && covering ? { ...access, given: { ...covering } } : access; // a copy: what is given counts less than the rule itself
    return [judgeAccess(ruleSet, tool, judged), ...judgeBelow(ruleSet, tool, judged)];
  });
  const deciding = verdicts.reduce<AccessVerdict | undefined>(
    (strictest, verdict) => (strictest && weight(strictest) >= weight(verdict) ? strictest : verdict),
    undefined,
  );
  if (!deciding) return { effect: "ask", rule: null, accesses: [], why: `${tool} does not say what it touches, so it asks.` };
  const complexity = accesses.find((access) => access.complexity !== undefined)?.complexity;
  const known = complexity === undefined ? {} : { complexity };
  return { effect: deciding.effect, rule: deciding.rule, accesses: verdicts, why: explain(deciding), ...known };
}

/** Whether the last rule that can match `action` for any resource forbids all of it: such a tool is not offered. */
export function fullyDenied(ruleSet: RuleSet, action: string, tool: string): PlacedRule | undefined {
  const about = (rule: PlacedRule) => matchesAction(rule, action, tool);
  for (const rules of [...ruleSet.ceilings, ruleSet.rules]) {
    const last = rules.findLast(about);
    if (last?.effect === "deny" && last.resource === "*" && last.unless === undefined) return last;
  }
  return undefined;
}

function judgeAccess(ruleSet: RuleSet, tool: string, access: Gated): AccessVerdict {
  const { action, resource, also = [], floor } = access;
  const whole = wholePathOf(access, ruleSet);
  const last = (rules: readonly PlacedRule[], text: string) => rules.findLast((rule) => concerns(rule, tool, access, text, whole));
  const said = saidOf(last(ruleSet.rules, resource), access);
  // A person who allowed exactly this text has seen all of it, so a gate that only wanted it to be seen is content.
  const seen =
    said.effect === "allow" &&
    said.rule !== null &&
    said.rule !== access.given &&
    (isWhole(said.rule.resource) ||
      (access.leads !== undefined && said.rule.resource === access.leads) ||
      (access.verb !== undefined && namesVerb(said.rule.resource, access.verb))) &&
    floor?.effect === "ask" &&
    !floor.once;
  const elsewhere = also
    .map((text) => last(ruleSet.rules, text))
    .filter((rule) => rule && rule.layer !== "defaults" && rule.resource !== "*");
  const limits = [
    ...elsewhere,
    ...ruleSet.ceilings.flatMap((rules) => [resource, ...also].map((text) => last(rules, text))),
    seen ? undefined : floor,
  ];
  if (access.suspected) return suspectedVerdict(access, [last(ruleSet.rules, resource), ...limits]);
  const held = limits.reduce<Said>(
    (now, limit) => (limit && weight({ effect: limit.effect, rule: limit }) > weight(now) ? { effect: limit.effect, rule: limit } : now),
    said,
  );
  const settled = held.effect === "ask" && ruleSet.insteadOfAsking ? { effect: "deny" as const, rule: ruleSet.insteadOfAsking } : held;
  return { action, resource, ...settled };
}

/** Layers of rules that are about what surely happens: what a mode says or lacks. */
const SURE: ReadonlySet<PlacedRule["layer"]> = new Set(["defaults", "mode", "ceiling"]);

/**
 * A rule of somebody that limits it asks, as nobody knows whether it happens. What modes and defaults say is about what surely
 * happens, and a rule about everything is not about this file.
 */
function suspectedVerdict({ action, resource }: Gated, rules: readonly (PlacedRule | undefined)[]): AccessVerdict {
  const said = rules.filter((rule) => rule !== undefined && !SURE.has(rule.layer) && (rule.layer === "gate" || rule.resource !== "*"));
  const [strictest] = said.toSorted((a, b) => strictness[b?.effect ?? "allow"] - strictness[a?.effect ?? "allow"]);
  const isLimited = strictest !== undefined && strictest.effect !== "allow";
  return { action, resource, effect: isLimited ? "ask" : "allow", rule: isLimited ? strictest : null };
}

/** The rule that allows the edits of a call, where somebody's rules allow all of them. */
function coveringRule(ruleSet: RuleSet, tool: string, accesses: readonly Gated[]): PlacedRule | undefined {
  const rules = accesses
    .filter(({ action, suspected }) => action === "edit" && !suspected)
    .flatMap((access) => [judgeAccess(ruleSet, tool, access), ...judgeBelow(ruleSet, tool, access)])
    .map(({ effect, rule }) => (effect === "allow" && rule?.layer !== "defaults" ? rule : null));
  return rules.includes(null) ? undefined : (rules[0] ?? undefined);
}

/** The strictest verdict on a file below a folder, where a rule asks for one or denies it by its path. */
function judgeBelow(ruleSet: RuleSet, tool: string, access: Gated): AccessVerdict[] {
  const { action, below, resource } = access;
  if (!below) return [];
  const limiting = [ruleSet.rules, ...ruleSet.ceilings]
    .flat()
    .filter((rule) => rule.effect !== "allow" && rule.resource !== "*" && rule.layer !== "defaults" && matchesAction(rule, action, tool))
    .filter((rule) => access.suspected !== true || !SURE.has(rule.layer));
  if (limiting.length === 0) return []; // the gates themselves look for what the defaults ask about
  const starts = limiting.map((rule) => startOf(rule.resource, ruleSet.workspace));
  const enters = (folder: string) => {
    const isBulk = BULK.test(resource === "." ? folder : folder.slice(resource.length));
    return starts.some((start) => (isBulk ? start.startsWith(`${folder}/`) : leadsInto(start, folder)));
  };
  if (!enters(resource)) return [];
  const { files, isWhole } = below(enters);
  const concerned = files.filter((file) => {
    const whole = wholePathOf(file, ruleSet);
    return limiting.some((rule) => concerns(rule, tool, file, file.resource, whole));
  });
  const verdicts = concerned.map((file) => judgeAccess(ruleSet, tool, file)).filter(({ effect }) => effect !== "allow");
  const [strictest] = verdicts.toSorted((a, b) => strictness[b.effect] - strictness[a.effect]);
  if (strictest) return [access.suspected ? { ...strictest, effect: "ask" } : strictest];
  const unseen = isWhole ? undefined : limiting.find((rule) => leadsInto(startOf(rule.resource, ruleSet.workspace), resource));
  return unseen ? [{ action, resource: `${resource}/*`, effect: "ask", rule: unseen }] : [];
}

/** Folders with too many files to look at for a rule that reaches them only by a wildcard. */
const BULK = /(^|\/)(node_modules|\.git)(\/|$)/;

/** What the paths that a rule means begin with, up to its first wildcard; a path in the workspace counts from there. */
function startOf(resource: Resource, workspace: string | undefined): string {
  const text = typeof resource === "string" ? (/^[^*?]*/.exec(resource)?.[0] ?? "") : "exact" in resource ? resource.exact : "";
  return workspace !== undefined && text.startsWith(`${workspace}/`) ? text.slice(workspace.length + 1) : text;
}

/** Whether paths that begin so can lie in a folder. */
const leadsInto = (start: string, folder: string): boolean => {
  const inside = folder === "." ? "" : `${folder}/`;
  return start.startsWith(inside) || inside.startsWith(start);
};

type Said = { effect: Effect; rule: PlacedRule | null };

function saidOf(rule: PlacedRule | undefined, { given }: Gated): Said {
  const holding = given && (!rule || rule.layer === "defaults") ? given : rule;
  return { effect: holding?.effect ?? "ask", rule: holding ?? null };
}

function concerns(
  rule: PlacedRule,
  tool: string,
  { action, within, leads, reads }: Gated,
  text: string,
  whole: string | undefined,
): boolean {
  if (rule.unless === "reads" && reads) return false;
  const covers = matchesResource(rule.resource, text) || (whole !== undefined && coversPath(rule.resource, whole));
  if (covers && matchesAction(rule, action, tool)) return true;
  if (leads !== undefined && rule.effect === "allow" && rule.resource === leads && matchesAction(rule, action, tool)) return true;
  return within !== undefined && rule.effect === "allow" && isExactly(rule, within) && matchesAction(rule, within.action, tool);
}

/** Where a file lies that is known by its path in the workspace. */
function wholePathOf({ action, resource }: Access, { workspace }: RuleSet): string | undefined {
  const isInside = (action === "read" || action === "edit") && workspace !== undefined && !isWholePath(resource);
  return isInside ? (resource === "." ? workspace : `${workspace}/${resource}`) : undefined;
}

/** Of a pattern for paths in the workspace nothing is known of the folders above. */
function coversPath(pattern: Resource, whole: string): boolean {
  const text = typeof pattern === "string" ? pattern : "exact" in pattern ? pattern.exact : /^\^\\?(.*)/s.exec(pattern.regex)?.[1];
  return text !== undefined && isWholePath(text) && matchesResource(pattern, whole);
}

const isWholePath = (text: string): boolean => /^(?:\/|[A-Za-z]:[\\/])/.test(text);

const isExactly = ({ resource }: PlacedRule, { resource: text }: Access): boolean => isWhole(resource) && matchesResource(resource, text);

/** It names one text and nothing else. */
const isWhole = (resource: Resource): boolean => (typeof resource === "object" ? "exact" in resource : !/[*?]/.test(resource));

/** What stands before the first wildcard of the rule says the verb in full. */
const namesVerb = (resource: Resource, verb: string): boolean =>
  typeof resource === "string" && `${(/^[^*?]*/.exec(resource)?.[0] ?? "").trimEnd()} `.startsWith(`${verb} `);

const matchesAction = (rule: PlacedRule, action: string, tool: string): boolean =>
  matchesWildcard(rule.action, action) || matchesWildcard(rule.action, tool);

/** `ask: command "git push *" (user, config.jsonc:14)`; one sentence for people. */
function explain({ action, resource, effect, rule }: AccessVerdict): string {
  const verb = { allow: "allowed", ask: "asks", deny: "denied" }[effect];
  if (!rule) return `${action} ${resource} ${verb}: no rule matches it.`;
  return `${action} ${resource} ${verb} by ${describeRule(rule)}.`;
}

/** `command "git push *" (user, config.jsonc:14)` */
export function describeRule(rule: PlacedRule): string {
  return `${rule.action} "${resourceText(rule.resource)}" (${rule.layer}, ${rule.source})`;
}
