import type { Rule } from "../protocol/rule.ts";
import { compileRegex } from "../text/regex.ts";

/** The problem of the first invalid expression in a list of rules: which one, why, and what to write. Undefined if all are valid. */
export function findInvalidRule(rules: readonly Pick<Rule, "resource">[]): string | undefined {
  for (const { resource } of rules) {
    const compiled = typeof resource === "object" && "regex" in resource ? compileRegex(resource.regex) : undefined;
    if (compiled && "fault" in compiled) return `This is not a regular expression: ${compiled.fault}. ${compiled.fix}`;
  }
  return undefined;
}
