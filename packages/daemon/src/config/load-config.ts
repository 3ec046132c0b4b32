import { readFile } from "node:fs/promises";
import path from "node:path";
import type { SourcedRule, Rule } from "@baton/core/protocol/rule";
import type * as z from "zod";
import { findNodeAtLocation, parseTree, type Node, type ParseError } from "jsonc-parser";
import { loadRegexEngine } from "@baton/core/text/regex";
import { knowsAction, unknownActionMessage } from "@baton/core/permission/known-actions";
import { multiCommandRuleProblem } from "@baton/core/permission/shell-preamble";
import { normalizedRules } from "./normalize-rule.ts";
import { shadowedRules } from "@baton/core/permission/shadowed-rules";
import { closestMatch } from "@baton/core/text/closest-match";
import { withoutByteOrderMark } from "@baton/core/text/json";
import { jsonErrorMessage } from "./json-error-message.ts";
import { validatePermissions } from "./validate-permissions.ts";
import { configSections, rulesFromTable, type Config } from "./config-schema.ts";

/** A problem in a config file: where it is (line and column from 1), and what to do. */
export type ConfigDiagnostic = { file: string; line: number; column: number; severity: "error" | "warning"; message: string };

/**
 * A config. `insteadOfAsking` is set while `permissions` cannot be read and there is no earlier version. `lines`: the line where each
 * section begins.
 */
export type LoadedConfig = {
  /** The file name. */
  file: string;
  config: Config;
  rules: SourcedRule[];
  insteadOfAsking?: SourcedRule | undefined;
  diagnostics: ConfigDiagnostic[];
  lines: Partial<Record<keyof Config, number>>;
};

/** The layer of the file's rules, and the actions that rules may name. Any action if undefined. */
export type ConfigParseOptions = { layer: SourcedRule["layer"]; actions?: readonly string[] };

const ofUser: ConfigParseOptions = { layer: "user" };

/**
 * Reads config.jsonc. A missing file is empty. Invalid parts are reported, and the rest applies. While `permissions` is invalid, the rules of
 * `before` stay in effect; without `before`, `insteadOfAsking` is set.
 */
export async function loadConfig(file: string, before?: LoadedConfig, reading: ConfigParseOptions = ofUser): Promise<LoadedConfig> {
  const text = await readFile(file, "utf8").catch((error: unknown) => {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return "{}";
    throw error;
  });
  if (text.includes("regex")) await loadRegexEngine();
  return parseConfig(text, file, before, reading);
}

export function parseConfig(content: string, file: string, before?: LoadedConfig, reading: ConfigParseOptions = ofUser): LoadedConfig {
  const text = withoutByteOrderMark(content);
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true });
  const report: Report = (offset, message, severity = "error") =>
    diagnostics.push({ file, ...positionAt(text, offset), severity, message });
  const diagnostics: ConfigDiagnostic[] = [];
  const [first] = errors; // later errors usually follow from the first
  if (first) report(first.offset, `${jsonErrorMessage(first)}, so the file cannot be read. ${untilFixed(before, reading)}`);
  if (errors.length > 0 || root?.type !== "object") {
    if (errors.length === 0) report(0, "The config must be one object: { ... }.");
    return { file: path.basename(file), config: before?.config ?? {}, lines: before?.lines ?? {}, ...lastGood(file, before), diagnostics };
  }
  const lineOf = (offset: number) => positionAt(text, offset).line;
  return { file: path.basename(file), ...readParts(root, { file, lineOf, report, before, reading }), diagnostics };
}

const untilFixed = (before: LoadedConfig | undefined, { layer }: ConfigParseOptions): string =>
  before
    ? "The previous version stays in effect until you fix the file."
    : `Until you fix the file, none of it applies, and ${effectWithoutRules(layer)}.`;

function effectWithoutRules(layer: SourcedRule["layer"]): string {
  if (layer === "project") return "everything in this project asks";
  return layer === "managed" ? "everything is denied" : "everything that would ask is denied";
}

type Report = (offset: number, message: string, severity?: ConfigDiagnostic["severity"]) => void;
type Source = {
  file: string;
  lineOf: (offset: number) => number;
  report: Report;
  before: LoadedConfig | undefined;
  reading: ConfigParseOptions;
};

function readParts(root: Node, source: Source): Omit<LoadedConfig, "diagnostics" | "file"> {
  const { file, lineOf, report, before, reading } = source;
  const config: Config = {};
  const lines: LoadedConfig["lines"] = {};
  let permissions: Pick<LoadedConfig, "rules" | "insteadOfAsking"> = { rules: [] };
  let isUnknown = false;
  for (const property of root.children ?? []) {
    const [key, node] = property.children ?? [];
    const name = String(key?.value);
    if (!isPart(name)) {
      if (name !== "$schema") report(property.offset, `Unknown key "${name}".${didYouMean(name, Object.keys(configSections), "keys")}`);
      continue;
    }
    const value: unknown = node && valueOf(node);
    const parsed = configSections[name].safeParse(value);
    const rules = parsed.success && name === "permissions" ? rulesOf(value, root, source) : undefined;
    if (parsed.success && rules !== "broken") {
      Object.assign(config, { [name]: parsed.data });
      lines[name] = lineOf(property.offset);
      if (rules) permissions = { rules };
      continue;
    }
    const faults =
      name === "permissions" ? validatePermissions(value) : (parsed.error?.issues ?? []).flatMap((issue) => issuesOf(issue, value));
    for (const { path: at, message } of parsed.success ? [] : faults.slice(0, 5)) {
      const where = findNodeAtLocation(root, [name, ...at.map((step) => (typeof step === "symbol" ? String(step) : step))]) ?? property;
      report(where.offset, `${[name, ...at].map(String).join(".")}: ${message.replace(/^Invalid \w+: /, "")}`);
    }
    if (name === "permissions") permissions = lastGood(file, before);
    else if (reading.layer === "managed" || LIMITING.has(name)) Object.assign(config, previousValue(name, before));
    if (name !== "permissions" && reading.layer === "managed") {
      isUnknown ||= before === undefined || before.insteadOfAsking !== undefined;
    }
  }
  return { config, lines, ...(isUnknown ? lastGood(file, undefined) : permissions) };
}

/** Sections that limit what agents can do. */
const LIMITING: ReadonlySet<keyof Config> = new Set(["network", "disabledTools", "sandbox", "limits"]);

/** The section's previous value. A mistake in a file must not lift its limits. */
const previousValue = (name: keyof Config, before: LoadedConfig | undefined): Config =>
  before?.config[name] === undefined ? {} : { [name]: before.config[name] };

/** The problems of a list of rules or a table. It is a union, and zod only reports that neither form matches. */
function issuesOf({ code, path: at, message }: z.core.$ZodIssue, value: unknown): { path: PropertyKey[]; message: string }[] {
  if (code !== "invalid_union" || at.at(-1) !== "permissions") return [{ path: at, message }];
  const rules = at.reduce<unknown>((now, key) => (now as Record<PropertyKey, unknown>)[key], value); // the path leads to the position of the error
  return validatePermissions(rules).map((fault) => ({ ...fault, path: [...at, ...fault.path] }));
}

const isPart = (name: string): name is keyof typeof configSections => Object.hasOwn(configSections, name);

const didYouMean = (name: string, names: readonly string[], what: string): string => {
  const known = closestMatch(name, names);
  return known ? ` Did you mean "${known}"?` : ` The ${what} are: ${names.join(", ")}.`;
};

/**
 * Reads both forms: a list of rules, or a table of actions with an effect or with resources, in the order of the file. An unknown action
 * invalidates all rules, because Baton cannot know what it was meant to forbid.
 */
function rulesOf(value: unknown, root: Node, { file, lineOf, report, reading }: Source): SourcedRule[] | "broken" {
  const offsets: number[] = [];
  const place = (rule: Rule, location: (string | number)[]): SourcedRule[] => {
    const offset = findNodeAtLocation(root, ["permissions", ...location])?.offset ?? 0;
    const placed = normalizedRules(rule);
    offsets.push(...placed.map(() => offset));
    return placed.map((each) => ({ ...each, layer: reading.layer, source: `${path.basename(file)}:${lineOf(offset)}` }));
  };
  const rules = flatRules(value).flatMap(({ rule, location }) => place(rule, location));
  const { actions } = reading;
  const unknown = rules.flatMap((rule, i) => (actions === undefined || knowsAction(rule.action, actions) ? [] : [{ rule, i }]));
  for (const { rule, i } of unknown)
    report(offsets[i] ?? 0, `${unknownActionMessage(rule.action, actions ?? [])} The previous rules stay in effect until you fix this.`);
  for (const { rule, by, i } of shadowedRules(rules))
    report(
      offsets[i] ?? 0,
      `This rule never applies, because ${by.action} "${textOf(by)}" (${by.source}) comes later and covers ${rule.action} "${textOf(rule)}".`,
      "warning",
    );
  for (const [i, rule] of rules.entries()) {
    const fault = multiCommandRuleProblem(rule);
    if (fault !== undefined) report(offsets[i] ?? 0, `The rule ${rule.action} "${textOf(rule)}" never applies. ${fault}`, "warning");
  }
  return unknown.length > 0 ? "broken" : rules;
}

/** The rules of both forms in their order, each with its location below `permissions`. The value must be valid. */
export function flatRules(value: unknown): { rule: Rule; location: (string | number)[] }[] {
  const list = configSections.permissions.options[0].safeParse(value);
  if (list.success) return list.data.map((rule, i) => ({ rule, location: [i] }));
  return rulesFromTable(configSections.permissions.options[1].parse(value));
}

const textOf = ({ resource }: Rule): string => (typeof resource === "string" ? resource : JSON.stringify(resource));

/** The rules while `permissions` cannot be read: the previous ones or, without any, a rule that denies what would ask. */
const lastGood = (file: string, before: LoadedConfig | undefined): Pick<LoadedConfig, "rules" | "insteadOfAsking"> =>
  before
    ? { rules: before.rules, insteadOfAsking: before.insteadOfAsking }
    : {
        rules: [],
        insteadOfAsking: { action: "*", resource: "*", effect: "deny", layer: "ceiling", source: `${path.basename(file)} is broken` },
      };

/** The value of a part of a JSON text. */
export function valueOf(node: Node): unknown {
  if (node.type === "array") return (node.children ?? []).map(valueOf);
  if (node.type !== "object") return node.value;
  return Object.fromEntries(
    (node.children ?? []).map(({ children }) => [String(children?.[0]?.value), children?.[1] && valueOf(children[1])]),
  );
}

/** The position of an offset in a text, line and column from 1. */
export function positionAt(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset).split("\n");
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}
