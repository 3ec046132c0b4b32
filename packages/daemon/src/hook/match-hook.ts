import { homedir } from "node:os";
import { compileRegex, type Regex } from "@baton/core/text/regex";
import { matchesResource } from "@baton/core/permission/wildcard";
import type { Access } from "@baton/core/protocol/rule";
import { matcherValues, type HookEvent } from "@baton/core/protocol/hook";
import { importClaudeRules } from "../config/import/claude-rules.ts";
import type { HookDefinition } from "./hook-definition.ts";
import { namesOfTool } from "./tool-names.ts";

/** The subject of hooks: the call of a tool with its accesses, or the value that matchers of the event compare. */
export type HookSubject = { tool: string; accesses: readonly Access[] } | { value: string };

/** Events whose matcher names a tool. */
const OF_TOOLS: ReadonlySet<HookEvent> = new Set(["PreToolUse", "PermissionRequest", "PostToolUse", "PostToolUseFailure"]);
/** Events without a matcher. */
const WITHOUT_MATCHER: ReadonlySet<HookEvent> = new Set(["UserPromptSubmit", "Stop"]);

/** Whether a hook runs for a subject. A matcher or a condition that Baton cannot read matches everything, so that no guard is skipped. */
export function matchesHook({ event, matcher, condition }: HookDefinition, subject: HookSubject): boolean {
  if (!WITHOUT_MATCHER.has(event)) {
    const names = "tool" in subject ? namesOfTool(subject.tool) : [subject.value];
    if (!matchesAny(matcher, names)) return false;
  }
  return condition === undefined || !OF_TOOLS.has(event) || !("tool" in subject) || meetsCondition(condition, subject);
}

/** Problems of a matcher and a condition, for the list of hooks. */
export function matchProblems({ event, matcher, condition }: HookDefinition): string[] {
  const values = matcherValues[event];
  const regex = matcher === undefined || isList(matcher) ? undefined : compiled(matcher);
  return [
    ...(regex && "fault" in regex
      ? [`The matcher ${JSON.stringify(matcher)} is no regular expression (${regex.fault}), so the hook runs for everything.`]
      : []),
    ...(values && !matchesAny(matcher, values)
      ? [
          `${event} has only the ${values.length === 1 ? "value" : "values"} ${values.join(", ")} in Baton, so the matcher ${JSON.stringify(matcher)} never runs the hook.`,
        ]
      : []),
    ...(condition !== undefined && conditionRules(condition).length === 0
      ? [`Baton does not understand the condition ${JSON.stringify(condition)}, so the hook runs without it.`]
      : []),
  ];
}

/** `Edit|Write` names tools. Anything with other characters is a regular expression that may match anywhere. */
const isList = (matcher: string): boolean => matcher === "" || matcher === "*" || /^[\w|-]+$/.test(matcher);

function matchesAny(matcher: string | undefined, names: readonly string[]): boolean {
  if (matcher === undefined || matcher === "" || matcher === "*") return true;
  if (isList(matcher)) return matcher.split("|").some((each) => names.includes(each));
  const regex = compiled(matcher);
  return typeof regex !== "function" || names.some(regex);
}

const regexes = new Map<string, ReturnType<typeof compileRegex>>();

function compiled(matcher: string): Regex | { fault: string; fix: string } {
  const before = regexes.get(matcher);
  if (before) return before;
  const regex = compileRegex(matcher);
  regexes.set(matcher, regex);
  return regex;
}

/** A condition such as `Bash(git *)` as rules. They are read as denies, which cover everything that the text may mean. */
const conditionRules = (condition: string) => importClaudeRules({ allow: [], ask: [], deny: [condition] }, homedir()).rules;

function meetsCondition(condition: string, { tool, accesses }: { tool: string; accesses: readonly Access[] }): boolean {
  const rules = conditionRules(condition);
  if (rules.length === 0) return true;
  return rules.some(({ action, resource }) =>
    accesses.some((access) => (action === access.action || action === tool) && matchesResource(resource, access.resource)),
  );
}
