import type { Rule } from "../protocol/rule.ts";
import { compileRegex } from "./regex.ts";

/** What is wrong with the expressions of rules that somebody wrote: which one, why, and what to write. Undefined: nothing. */
export function findInvalidRule(rules: readonly Pick<Rule, "resource">[]): string | undefined {
  for (const { resource } of rules) {
    const compiled = typeof resource === "object" && "regex" in resource ? compileRegex(resource.regex) : undefined;
    if (compiled && "fault" in compiled) return `This is no regular expression: ${compiled.fault}. ${compiled.fix}`;
  }
  return undefined;
}
