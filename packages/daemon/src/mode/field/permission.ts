import { findInvalidRule } from "@baton/core/permission/validate-rules";
import { Effect, Rule } from "@baton/core/protocol/rule";
import type { ReadContext } from "../mode-read-context.ts";
import { toPlainValue, type MapEntry, type ModeSyntaxNode } from "../parse/syntax-node.ts";

/**
 * The rules of a mode: a list of rules, or a table of actions with an effect or with resources, in the order of the file. A project's file
 * can only restrict, so its allows are dropped.
 */
export function readPermissions({ key, value }: MapEntry, reading: ReadContext): Rule[] {
  const rules = value.kind === "map" ? value.entries.flatMap((each) => ofAction(each, reading)) : ofList(key, value, reading);
  if (reading.scope === "global") return rules;
  const kept = rules.flatMap((rule, i) => withoutGrant(rule, rules.slice(0, i)));
  if (kept.some((rule) => !rules.includes(rule)) || kept.length < rules.length)
    reading.warn(
      value.at,
      "project_cannot_grant",
      "A project's file cannot allow anything, so Baton asks instead.",
      "Put rules that allow into your own config.",
    );
  return kept;
}

/** An allow of a project's file becomes an ask if it follows a deny of the same file. Otherwise it is dropped. */
function withoutGrant(rule: Rule, before: readonly Rule[]): Rule[] {
  if (rule.effect !== "allow") return [rule];
  return before.some(({ action, effect }) => effect === "deny" && action === rule.action) ? [{ ...rule, effect: "ask" }] : [];
}

function ofList(key: string, value: ModeSyntaxNode, reading: ReadContext): Rule[] {
  if (value.kind === "list")
    return value.items.flatMap((item) => {
      const parsed = Rule.safeParse(toPlainValue(item));
      if (parsed.success) return expressed(parsed.data, item.at, reading);
      reading.error(
        item.at,
        "bad_value",
        "A rule has an action, a resource and an effect.",
        'Write { action: edit, resource: "docs/*", effect: ask }.',
      );
      return [];
    });
  reading.error(value.at, "wrong_type", `The field ${key} must be a list of rules or a table of actions.`, 'Write edit: { "*": ask }.');
  return [];
}

function ofAction({ key: action, value }: MapEntry, reading: ReadContext): Rule[] {
  const single = effectOf(value);
  if (single) return [{ action, resource: "*", effect: single }];
  if (value.kind !== "map") return faulty(value, reading);
  return value.entries.flatMap(({ key: resource, value: node }): Rule[] => {
    const effect = effectOf(node);
    return effect ? [{ action, resource, effect }] : faulty(node, reading);
  });
}

const effectOf = (node: ModeSyntaxNode): Effect | undefined => (node.kind === "scalar" ? Effect.safeParse(node.value).data : undefined);

function faulty({ at }: ModeSyntaxNode, reading: ReadContext): Rule[] {
  reading.error(
    at,
    "bad_value",
    "An effect must be allow, ask or deny.",
    "Write one of them, or a table of resources with an effect each.",
  );
  return [];
}

function expressed(rule: Rule, at: number, reading: ReadContext): Rule[] {
  const fault = findInvalidRule([rule]);
  if (fault === undefined) return [rule];
  reading.error(at, "bad_regex", fault);
  return [];
}
