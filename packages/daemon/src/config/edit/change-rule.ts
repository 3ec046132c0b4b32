import path from "node:path";
import { isDeepStrictEqual } from "node:util";
import { normalizedRules } from "../normalize-rule.ts";
import { refuse } from "@baton/core/protocol/refusal";
import type { Effect, SourcedRule, Resource, Rule } from "@baton/core/protocol/rule";
import { ruleText } from "@baton/core/text/rule-text";
import { applyEdits, findNodeAtLocation, getNodeValue, modify, parseTree } from "jsonc-parser";
import { JSONC_EDIT_OPTIONS, type ConfigEditor, type EditResult } from "./edit-jsonc.ts";
import { flatRules, positionAt } from "../load-config.ts";
import { removeSetting } from "./remove-setting.ts";

/** A rule of the config as Baton shows it. The source distinguishes equal rules, and notices a file that has changed since. */
export type ShownRule = Pick<SourcedRule, "action" | "resource" | "effect" | "source">;

/** The new values of a rule. Without `resource`, its text stays as it is written. */
export type RuleChange = { effect: Effect; resource?: Resource | undefined };

type Location = (string | number)[];

/** Changes a rule of the user in its place, or removes it if `to` is undefined. Everything else in the config stays as it is written. */
export async function changeRule(edit: ConfigEditor, file: string, rule: ShownRule, to: RuleChange | undefined): Promise<EditResult> {
  let problem: string | undefined;
  const edited = await edit((before) => {
    problem = undefined;
    const rules = writtenRules(before, file);
    const at = rules.findIndex((written) => isSame(written, rule));
    const found = rules[at];
    if (!found) {
      problem = `The rule ${ruleText(rule)} is no longer at ${rule.source}. Look at the current rules, then try again.`;
      return undefined;
    }
    const replacement = to && { ...found.rule, effect: to.effect, resource: to.resource ?? found.rule.resource };
    const after = replacement ? replaced(before, found, replacement) : removed(before, found.location);
    const expected = rules.map((written) => written.rule).toSpliced(at, 1, ...(replacement ? [replacement] : []));
    // Rules are too important to be changed by an edit that does something else as well, such as in a table with a repeated key.
    if (
      after === undefined ||
      !isDeepStrictEqual(
        writtenRules(after, file).map((written) => written.rule),
        expected,
      )
    ) {
      problem = `The rules in ${path.basename(file)} cannot take this change. Edit the file by hand.`;
      return undefined;
    }
    return after;
  });
  return problem === undefined ? edited : refuse("rule_invalid", problem);
}

type WrittenRule = { rule: Rule; location: Location; source: string };

/** The rules as they are written, each with its location below `permissions`. */
function writtenRules(text: string, file: string): WrittenRule[] {
  const root = parseTree(text, [], { allowTrailingComma: true });
  const permissions = root && findNodeAtLocation(root, ["permissions"]);
  if (!permissions) return [];
  return flatRules(getNodeValue(permissions)).map(({ rule, location }) => {
    const offset = findNodeAtLocation(permissions, location)?.offset ?? 0;
    return { rule, location, source: `${path.basename(file)}:${positionAt(text, offset).line}` };
  });
}

const isSame = ({ rule, source }: WrittenRule, shown: ShownRule): boolean =>
  normalizedRules(rule).some(({ action, resource, effect }) => isDeepStrictEqual({ action, resource, effect, source }, { ...shown }));

function replaced(text: string, { rule, location }: WrittenRule, { effect, resource }: Rule): string | undefined {
  const put = (now: string, where: Location, value: unknown) =>
    applyEdits(now, modify(now, ["permissions", ...where], value, JSONC_EDIT_OPTIONS));
  const isMoved = !isDeepStrictEqual(resource, rule.resource);
  if (typeof location[0] === "number") {
    const changed = effect === rule.effect ? text : put(text, [...location, "effect"], effect);
    return isMoved ? put(changed, [...location, "resource"], resource) : changed;
  }
  const changed = effect === rule.effect ? text : put(text, location, effect);
  if (!isMoved) return changed;
  if (typeof resource !== "string") return undefined; // a table has no place for it
  if (location.length === 1) return put(changed, location, { [resource]: effect });
  const key = findNodeAtLocation(parseTree(changed, [], { allowTrailingComma: true }) ?? NO_NODE, ["permissions", ...location])?.parent
    ?.children?.[0];
  return key && applyEdits(changed, [{ offset: key.offset, length: key.length, content: JSON.stringify(resource) }]);
}

/** In a table, an action without rules goes with its last one. */
function removed(text: string, location: Location): string {
  const root = parseTree(text, [], { allowTrailingComma: true });
  const siblings = root && findNodeAtLocation(root, ["permissions", ...location.slice(0, -1)])?.children;
  return removeSetting(text, ["permissions", ...(location.length === 2 && siblings?.length === 1 ? location.slice(0, 1) : location)]);
}

const NO_NODE = { type: "object", offset: 0, length: 0 } as const;
