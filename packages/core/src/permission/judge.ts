import type { Access, AccessVerdict, Effect, SourcedRule, Resource, Verdict } from "../protocol/rule.ts";
import { remembered } from "../text/remembered.ts";
import { resourceText } from "../text/rule-text.ts";
import { limitsCall, matchesWord, type Call } from "./limited-call.ts";
import { startedBy } from "./started-program.ts";
import { matchStaysOnBranch } from "./branch-wildcard.ts";
import { matchStaysInFolder } from "./folder-wildcard.ts";
import { matchStaysOnHost } from "./url-host-wildcard.ts";
import { matchesResource, matchesWildcard } from "./wildcard.ts";

/**
 * All rules for a call. `rules` are ordered from weak to strong; the last match wins. In each of the `ceilings` the last match wins as
 * well, but a ceiling can only make the answer stricter. A list never changes in place, because what follows from it is remembered.
 */
export type RuleSet = {
  rules: readonly SourcedRule[];
  ceilings: readonly (readonly SourcedRule[])[];
  /** The workspace as an absolute path. A rule with an absolute path also matches files that an access names relative to it. */
  workspace?: string | undefined;
  /** While Baton cannot read the user's rules, this rule denies every call that would otherwise ask. */
  insteadOfAsking?: SourcedRule | undefined;
};

/** An access with the findings of its gate. */
export type GatedAccess = Access & {
  /** The minimum strictness. No rule can lower it. */
  floor?: SourcedRule;
  /** A verdict of the gate that is stronger than the defaults and weaker than any rule of the user. */
  gateRule?: SourcedRule;
  /** Other texts for the same resource, such as a program's base name. Specific rules for them apply too. */
  also?: readonly string[];
  /** The command as words, under each of its names. Rules that limit it apply wherever its flags are. */
  calls?: readonly Call[];
  /** True if the access can only read: it does not write, send data or run unknown code. */
  reads?: boolean;
  /** How hard the command of this access is to understand, from 0 to 1. */
  complexity?: number;
  /** The resource of a rule that allows this as the beginning of a longer command. */
  leads?: string;
  /** The words that say what a command does, such as `gh pr merge`. A rule that names them satisfies a floor that asks. */
  verb?: string;
  /** The text that this access is a part of. A rule that allows exactly that text also covers the part. */
  within?: Access;
  /** A command that only changes the files that it names. If rules allow all these changes, they replace the defaults for the command. */
  onlyEdits?: true;
  /** The gate cannot tell whether this access happens. Only limits of the user, the project or a gate apply to it. */
  suspected?: true;
  /** The resource is a folder, and the call touches every file in it. */
  below?: FilesBelow;
};

/**
 * Lists the files below a folder, in folders for which `enters` is true. `isWhole` is false if there are too many files. It may leave out files for
 * which `concerns` is false, because no rule is about them.
 */
export type FilesBelow = (
  enters: (folder: string) => boolean,
  concerns: (file: Access) => boolean,
) => { files: readonly Access[]; isWhole: boolean };

const strictness: Record<Effect, number> = { allow: 0, ask: 1, deny: 2 };

/** The strictness as a number. Of two equal verdicts the one that says more counts: first that of a gate, then one with a rule. */
const weight = ({ effect, rule }: Judgement): number => strictness[effect] * 3 + (rule?.layer === "gate" ? 2 : rule ? 1 : 0);

/** Judges a call of `tool` that touches `accesses`. The strictest one decides. An access without a rule asks, and so does no access. */
export function judge(ruleSet: RuleSet, tool: string, accesses: readonly GatedAccess[]): Verdict {
  const covering = accesses.some(({ onlyEdits }) => onlyEdits) ? coveringRule(ruleSet, tool, accesses) : undefined;
  const verdicts = accesses.flatMap((access) => {
    const judged = access.onlyEdits && covering ? { ...access, gateRule: { ...covering } } : access; // a copy, because a verdict of the gate is weaker than the rule itself
    return [judgeAccess(ruleSet, tool, judged), ...judgeBelow(ruleSet, tool, judged)];
  });
  const deciding = verdicts.reduce<AccessVerdict | undefined>(
    (strictest, verdict) => (strictest && weight(strictest) >= weight(verdict) ? strictest : verdict),
    undefined,
  );
  if (!deciding) return { effect: "ask", rule: null, accesses: [], why: `${tool} does not say what it touches, so Baton asks.` };
  const complexity = accesses.find((access) => access.complexity !== undefined)?.complexity;
  const known = complexity === undefined ? {} : { complexity };
  const shown = verdicts.filter(({ action, effect, rule }) => rule || effect !== "allow" || !/^(fetch|network)$/.test(action)); // others are only mentioned
  return { effect: deciding.effect, rule: deciding.rule, accesses: shown, why: explain(deciding), ...known };
}

/** The rule that denies `action` for every resource, if the last matching rule does so. Such a tool is not offered to the model. */
export function fullyDenied(ruleSet: RuleSet, action: string, tool: string): SourcedRule | undefined {
  for (const rules of [...ruleSet.ceilings, ruleSet.rules]) {
    const last = rules.findLast((rule) => matchesAction(rule, action, tool));
    if (last?.effect === "deny" && last.resource === "*" && last.unless === undefined) return last;
  }
  return undefined;
}

function judgeAccess(ruleSet: RuleSet, tool: string, access: GatedAccess): AccessVerdict {
  const { action, resource, floor } = access;
  const whole = absolutePath(access, ruleSet);
  const own = rulesAbout(ruleSet.rules, access, tool);
  const typed = own.rules.findLast((rule) => concerns(rule, tool, access, resource, whole));
  const judgement = applyGateVerdict(typed, access);
  // A user who allowed exactly this text has seen all of it. A gate that only wants the user to see it is satisfied.
  const isSeenByUser =
    judgement.effect === "allow" &&
    judgement.rule !== null &&
    judgement.rule !== access.gateRule &&
    (wholeText(judgement.rule) !== undefined ||
      (access.leads !== undefined && judgement.rule.resource === access.leads) ||
      (access.verb !== undefined && namesVerb(judgement.rule.resource, access.verb))) &&
    floor?.effect === "ask" &&
    !floor.once;
  const names = namesOf(access, ruleSet);
  const limitsIn = (about: RulesAbout, isLimit: (rule: SourcedRule) => boolean) =>
    names.map((name) => limitIn(about, name, { access, tool, whole, isLimit }));
  const elsewhere = limitsIn(own, (rule) => rule.layer !== "defaults" && rule.resource !== "*");
  const ceilings = ruleSet.ceilings.flatMap((rules) => limitsIn(rulesAbout(rules, access, tool), () => true));
  const limits = [...elsewhere, ...ceilings, isSeenByUser ? undefined : floor];
  if (access.suspected) return suspectedVerdict(access, [typed, ...limits]);
  const limited = limits.reduce<Judgement>(
    (now, limit) => (limit && weight({ effect: limit.effect, rule: limit }) > weight(now) ? { effect: limit.effect, rule: limit } : now),
    judgement,
  );
  const final = limited.effect === "ask" && ruleSet.insteadOfAsking ? { effect: "deny" as const, rule: ruleSet.insteadOfAsking } : limited;
  return { action, resource, ...final };
}

/** A name of an access for rules that limit it: its resource, another text for it, a name through a link, an address over https, or a call in other words. */
type AccessName = { text: string; whole: string | undefined; isLink?: boolean; call?: Call };

function namesOf(access: GatedAccess, ruleSet: RuleSet): AccessName[] {
  const { action, resource, also = [], calls = [] } = access;
  const whole = absolutePath(access, ruleSet);
  const isPath = action === "read" || action === "edit";
  const others = also.map((text): AccessName =>
    isPath ? { text, whole: absolutePath({ action, resource: text }, ruleSet), isLink: true } : { text, whole },
  );
  const addresses = otherAddresses(access).map((text) => ({ text, whole }));
  return [{ text: resource, whole }, ...others, ...addresses, ...calls.map((call) => ({ text: call.words.join(" "), whole, call }))];
}

/**
 * Returns other addresses that a rule about this one may name. A rule that limits a host without a port limits it at every port, and one
 * that limits `https://host` also limits `http://host`.
 */
function otherAddresses({ action, resource }: Access): string[] {
  if (action !== "fetch" && action !== "network") return [];
  const names = resource.startsWith("http:") ? [resource, resource.replace("http:", "https:")] : [resource];
  return [...new Set(names.flatMap((name) => [name, name.replace(/^((?:https?:\/\/)?(?:\[[^\]]*\]|[^/:]+)):\d+/, "$1")]))].filter(
    (name) => name !== resource,
  );
}

/** Returns the last rule of a list that limits an access under one of its names, unless a later rule takes it back. */
function limitIn(
  { rules, limits }: RulesAbout,
  { text, whole, isLink, call }: AccessName,
  about: { access: GatedAccess; tool: string; whole: string | undefined; isLimit: (rule: SourcedRule) => boolean },
): SourcedRule | undefined {
  const { access, tool, isLimit } = about;
  // A pattern for everything is not about the name of a link.
  const isTyped = (rule: SourcedRule) =>
    concerns(rule, tool, access, text, whole) && !(isLink === true && typeof rule.resource === "string" && /^[*?/]*$/.test(rule.resource));
  const isAbout = (rule: SourcedRule) => isTyped(rule) || (rule.effect !== "allow" && limitsInOtherWords(rule, tool, access, text, call));
  // A rule that allows takes back what it names, and of a limit in other words only a part of that limit.
  const takesBack = (rule: SourcedRule, limit: SourcedRule) => isTyped(rule) && (isTyped(limit) || isPartOf(rule, limit));
  // An exception from the limit for the call or address as it was typed also covers its other names, and the whole text with the call in it.
  const isException = (rule: SourcedRule, limit: SourcedRule) =>
    (call === undefined ? /^(command|fetch|network)$/.test(access.action) && text !== access.resource : call.isInside !== true) &&
    (access.action !== "command" || isPartOf(rule, limit)) &&
    concerns(rule, tool, access, access.resource, about.whole);
  const isTakenBack = (limit: SourcedRule) =>
    rules
      .slice(rules.lastIndexOf(limit) + 1)
      .some((rule) => rule.effect === "allow" && (takesBack(rule, limit) || isException(rule, limit)));
  return limits.findLast((limit) => isLimit(limit) && isAbout(limit) && !isTakenBack(limit));
}

/** Layers whose rules apply only to accesses that certainly happen. */
const SURE: ReadonlySet<SourcedRule["layer"]> = new Set(["defaults", "mode", "ceiling"]);

/** A suspected access asks if a rule limits it by its name or address. Rules of modes and defaults, and those for `*`, do not apply. */
function suspectedVerdict({ action, resource }: GatedAccess, rules: readonly (SourcedRule | undefined)[]): AccessVerdict {
  const isLimit = ({ layer, resource: named }: SourcedRule) => layer === "gate" || named !== "*" || action === "fetch";
  const judgement = rules.filter((rule) => rule !== undefined && !SURE.has(rule.layer) && isLimit(rule));
  const [strictest] = judgement.toSorted((a, b) => strictness[b?.effect ?? "allow"] - strictness[a?.effect ?? "allow"]);
  const isLimited = strictest !== undefined && strictest.effect !== "allow";
  return { action, resource, effect: isLimited ? "ask" : "allow", rule: isLimited ? strictest : null };
}

/** The rule that allows the edits of a call. Undefined unless rules other than the defaults allow all of them. */
function coveringRule(ruleSet: RuleSet, tool: string, accesses: readonly GatedAccess[]): SourcedRule | undefined {
  const rules = accesses
    .filter(({ action, suspected }) => action === "edit" && !suspected)
    .flatMap((access) => [judgeAccess(ruleSet, tool, access), ...judgeBelow(ruleSet, tool, access)])
    .map(({ effect, rule }) => (effect === "allow" && rule?.layer !== "defaults" ? rule : null));
  return rules.includes(null) ? undefined : (rules[0] ?? undefined);
}

/** The strictest verdict for a file below a folder, if a rule limits such a file by its path. */
function judgeBelow(ruleSet: RuleSet, tool: string, access: GatedAccess): AccessVerdict[] {
  const { action, below, resource } = access;
  if (!below) return [];
  const limiting = [ruleSet.rules, ...ruleSet.ceilings]
    .flat()
    .filter((rule) => rule.effect !== "allow" && rule.resource !== "*" && rule.layer !== "defaults" && matchesAction(rule, action, tool))
    .filter((rule) => access.suspected !== true || !SURE.has(rule.layer));
  if (limiting.length === 0) return []; // the gates check the files that the defaults ask about
  const starts = limiting.map((rule) => fixedStart(rule.resource, ruleSet.workspace));
  const enters = (folder: string) => {
    const isBulk = BULK.test(resource === "." ? folder : folder.slice(resource.length));
    return starts.some((start) =>
      isBulk ? start.startsWith(comparable(start, folder, ruleSet.workspace)) : leadsInto(start, folder, ruleSet.workspace),
    );
  };
  if (!enters(resource)) return [];
  const isLimited = (file: Access) => limiting.some((rule) => concerns(rule, tool, file, file.resource, absolutePath(file, ruleSet)));
  const { files, isWhole } = below(enters, isLimited);
  const concerned = files.filter(isLimited);
  const verdicts = concerned.map((file) => judgeAccess(ruleSet, tool, file)).filter(({ effect }) => effect !== "allow");
  const [strictest] = verdicts.toSorted((a, b) => strictness[b.effect] - strictness[a.effect]);
  if (strictest) return [access.suspected ? { ...strictest, effect: "ask" } : strictest];
  const unseen = isWhole
    ? undefined
    : limiting.find((rule) => leadsInto(fixedStart(rule.resource, ruleSet.workspace), resource, ruleSet.workspace));
  return unseen ? [{ action, resource: `${resource}/*`, effect: "ask", rule: unseen }] : [];
}

/** Folders with too many files to list for a rule that reaches them only through a wildcard. */
const BULK = /(^|\/)(node_modules|\.git)(\/|$)/;

/** The fixed beginning of a rule's paths, up to the first wildcard. A path in the workspace is relative to it. */
function fixedStart(resource: Resource, workspace: string | undefined): string {
  const exact = typeof resource === "object" && "exact" in resource ? resource.exact : "";
  const text = typeof resource === "string" ? (/^[^*?]*/.exec(resource)?.[0] ?? "") : exact;
  return workspace !== undefined && text.startsWith(`${workspace}/`) ? text.slice(workspace.length + 1) : text;
}

/** A folder with a slash at its end. If the beginning of a rule is absolute, for example `/home/*`, the folder is absolute as well. */
const comparable = (start: string, folder: string, workspace: string | undefined): string => {
  const own = folder === "." ? "" : folder === "/" ? folder : `${folder}/`;
  return isWholePath(start) && !isWholePath(folder) && workspace !== undefined ? `${workspace}/${own}` : own;
};

/** True if paths with this beginning can be in the folder. The workspace and its files can be in a folder above it. */
const leadsInto = (start: string, folder: string, workspace: string | undefined): boolean => {
  if (isWholePath(folder) && `${workspace}/`.startsWith(folder === "/" ? folder : `${folder}/`)) return true;
  const inside = comparable(start, folder, workspace);
  return start.startsWith(inside) || inside.startsWith(start);
};

type Judgement = { effect: Effect; rule: SourcedRule | null };

function applyGateVerdict(rule: SourcedRule | undefined, { gateRule }: GatedAccess): Judgement {
  const holding = gateRule && (!rule || rule.layer === "defaults") ? gateRule : rule;
  return { effect: holding?.effect ?? "ask", rule: holding ?? null };
}

/** The rules of a list that may be about an access, and those among them that do not allow. */
type RulesAbout = { rules: readonly SourcedRule[]; limits: readonly SourcedRule[] };

const rulesByAction = new WeakMap<readonly SourcedRule[], Map<string, RulesAbout>>();

/** Returns the rules of a list that name the action of an access, or that of the text around it. Most rules are about other actions. */
function rulesAbout(list: readonly SourcedRule[], { action, within = { action, resource: "" } }: GatedAccess, tool: string): RulesAbout {
  const known = rulesByAction.get(list) ?? new Map<string, RulesAbout>();
  rulesByAction.set(list, known);
  const key = `${tool} ${action} ${within.action}`;
  const found = known.get(key);
  if (found) return found;
  const rules = list.filter((rule) => matchesAction(rule, action, tool) || matchesAction(rule, within.action, tool));
  const about = { rules, limits: rules.filter(({ effect }) => effect !== "allow") };
  known.set(key, about);
  return about;
}

/** True if a rule limits a folder by its name alone, and the access is about a file in it. */
const isInFolder = ({ effect, layer, resource }: SourcedRule, { action }: GatedAccess, text: string, whole = text): boolean =>
  effect !== "allow" &&
  layer !== "defaults" && // these name files
  (action === "read" || action === "edit" || action === "external_directory") &&
  typeof resource === "string" &&
  [text, whole].some(
    (path) =>
      (path[resource.length] === "/" && path.startsWith(resource)) ||
      (FOLDER_PATTERN.test(resource) && matchesWildcard(`${resource}/*`, path)),
  );

/** A pattern that names folders, and does not end with a wildcard. */
const FOLDER_PATTERN = /^(?=.*[*?]).*[^*/]$/;

/** True unless a wildcard of a rule that allows reaches another host, folder or branch. */
const staysWithin = (pattern: string, text: string): boolean =>
  matchStaysOnHost(pattern, text) && matchStaysInFolder(pattern, text) && matchStaysOnBranch(pattern, text);

function concerns(rule: SourcedRule, tool: string, access: GatedAccess, text: string, whole: string | undefined): boolean {
  const { action, within, leads, reads } = access;
  const { resource } = rule;
  const matches = // first, because few rules match
    matchesResource(resource, text) || (whole !== undefined && coversPath(resource, whole)) || isInFolder(rule, access, text, whole);
  if (!matches && within === undefined && resource !== leads) return false;
  if (rule.unless === "reads" && reads) return false;
  if (within && rule.effect === "allow" && wholeText(rule) === within.resource && matchesAction(rule, within.action, tool)) return true;
  if (!matches && (rule.effect !== "allow" || resource !== leads)) return false;
  if (!matchesAction(rule, action, tool)) return false;
  return !matches || rule.effect !== "allow" || typeof resource !== "string" || staysWithin(resource, text);
}

/** True if everything that a rule names is also named by the other. */
function isPartOf({ resource }: SourcedRule, whole: SourcedRule): boolean {
  const text = typeof resource === "string" ? resource.replace(/ ?\*$/, "") : "exact" in resource ? resource.exact : undefined;
  return text !== undefined && matchesResource(whole.resource, text);
}

/** True if a rule that limits is about the program that a command runs, but names another way to start it, or its words in another order. */
function limitsInOtherWords(rule: SourcedRule, tool: string, access: GatedAccess, text: string, call: Call | undefined): boolean {
  const { action, reads } = access;
  const { resource } = rule;
  if (action !== "command" || typeof resource !== "string" || resource === "*" || (rule.unless === "reads" && reads)) return false;
  if (!matchesAction(rule, action, tool)) return false;
  const { variables, command } = withoutVariables(resource);
  if (!variables.every((variable) => call?.settings?.some((each) => matchesWord(variable, each)) === true)) return false;
  // Inside of other words, the name of a program alone may be that of a folder.
  const isClear = (each: string) => call?.isInside !== true || /\S\s+[^\s*]/.test(each);
  const started = [...(variables.length > 0 ? [command] : []), ...startedBy(command)].filter(isClear);
  return (
    started.some((each) => matchesWildcard(each, text)) ||
    (call !== undefined && [command, ...started].some((each) => limitsCall(each, call)))
  );
}

/** Splits the variables at the beginning of a pattern from the command. */
const withoutVariables = remembered((pattern): { variables: readonly string[]; command: string } => {
  const [start = ""] = /^(\w+=\S* +)*/.exec(pattern) ?? [];
  return { variables: start.split(/ +/).filter(Boolean), command: pattern.slice(start.length) };
});

/** The absolute path of a file that an access names relative to the workspace. */
function absolutePath({ action, resource }: Access, { workspace }: RuleSet): string | undefined {
  const isInside = (action === "read" || action === "edit") && workspace !== undefined && !isWholePath(resource);
  return isInside ? (resource === "." ? workspace : `${workspace}/${resource}`) : undefined;
}

/** Matches absolute paths. A pattern for paths in the workspace never matches one. */
function coversPath(pattern: Resource, whole: string): boolean {
  const text = typeof pattern === "string" ? pattern : "exact" in pattern ? pattern.exact : /^\^\\?(.*)/s.exec(pattern.regex)?.[1];
  return text !== undefined && isWholePath(text) && matchesResource(pattern, whole);
}

const isWholePath = (text: string): boolean => /^(?:\/|[A-Za-z]:[\\/])/.test(text);

/** The text that a rule names exactly. Undefined if it may match several. */
function wholeText({ resource }: Pick<SourcedRule, "resource">): string | undefined {
  if (typeof resource === "object") return "exact" in resource ? resource.exact : undefined;
  return resource.includes("*") || resource.includes("?") ? undefined : resource;
}

/** True if the fixed beginning of a rule contains the whole verb. */
const namesVerb = (resource: Resource, verb: string): boolean =>
  typeof resource === "string" && `${(/^[^*?]*/.exec(resource)?.[0] ?? "").trimEnd()} `.startsWith(`${verb} `);

const matchesAction = (rule: Pick<SourcedRule, "action">, action: string, tool: string): boolean =>
  matchesWildcard(rule.action, action) || matchesWildcard(rule.action, tool);

/** One sentence for the user: `command git push asks by command "git push *" (user, config.jsonc:14).` */
function explain({ action, resource, effect, rule }: AccessVerdict): string {
  const verb = { allow: "allowed", ask: "asks", deny: "denied" }[effect];
  if (!rule) return `${action} ${resource} ${verb}: no rule matches it.`;
  return `${action} ${resource} ${verb} by ${describeRule(rule)}.`;
}

/** `command "git push *" (user, config.jsonc:14)` */
export function describeRule(rule: SourcedRule): string {
  return `${rule.action} "${resourceText(rule.resource)}" (${rule.layer}, ${rule.source})`;
}
