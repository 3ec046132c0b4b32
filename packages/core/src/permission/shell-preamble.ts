import type { SourcedRule, Resource, Rule } from "../protocol/rule.ts";
import { matchesWildcard } from "./wildcard.ts";

/** A command that prepares the shell for the commands after it: `source FILE`, or `export NAME=VALUE`. */
const PART = /(?:(?:\.|source) [\w./@+-]+|export (\w+)=[\w./:,@%+=-]*)(?: && |; )/y;
/** Variables that change how the shell reads the rest. The gate would judge the rest for another folder or another meaning. */
const CHANGES_MEANING =
  /^(?:HOME|PWD|OLDPWD|CDPATH|IFS|ENV|SHELLOPTS|BASH\w*|GLOBIGNORE|POSIXLY_CORRECT|PS\d|PROMPT_COMMAND|LD_\w+|DYLD_\w+)$/;

/** The number of characters at the beginning of a command that only prepare the shell, the separator after them included. */
export function preambleLength(command: string): number {
  let end = 0;
  for (;;) {
    PART.lastIndex = end;
    const part = PART.exec(command);
    if (!part || CHANGES_MEANING.test(part[1] ?? "")) return end;
    end = PART.lastIndex;
  }
}

/** True if a rule names such preparations literally and leaves the rest open: `. .venv/bin/activate && *`. */
const isLeading = (resource: Resource): resource is string =>
  typeof resource === "string" && resource.endsWith("*") && resource.length > 1 && preambleLength(resource) === resource.length - 1;

/** The longest preparation of a command that a rule allows, with the resource of that rule. */
export function allowedPreamble(command: string, rules: readonly SourcedRule[], tool: string): { lead: string; leads: string } | undefined {
  const matching = rules.flatMap(({ action, resource, effect }) =>
    effect === "allow" &&
    isLeading(resource) &&
    command.startsWith(resource.slice(0, -1)) &&
    (matchesWildcard(action, "command") || matchesWildcard(action, tool))
      ? [resource]
      : [],
  );
  const leads = matching.toSorted((a, b) => b.length - a.length)[0];
  return leads === undefined ? undefined : { lead: leads.slice(0, -1), leads };
}

/** The rule that would allow the preparation of a command. The rest is still judged. */
export function preambleRule(command: string): Rule | undefined {
  const length = preambleLength(command);
  return length === 0 ? undefined : { action: "command", resource: `${command.slice(0, length)}*`, effect: "allow" };
}

/** Explains why a rule that allows commands can never apply. Undefined if it can. */
export function multiCommandRuleProblem({ action, resource, effect }: Rule): string | undefined {
  if (effect !== "allow" || (action !== "command" && action !== "run_command") || typeof resource !== "string") return undefined;
  if (!/[*?]/.test(resource) || isLeading(resource) || !/ (?:&&|\|\|?|&) |; |\n/.test(resource)) return undefined;
  return `The rule spans several commands, but Baton judges each command by itself, so the rule never applies. Write a rule for each command, or the exact text. Only commands that prepare the shell may come first, as in ". .venv/bin/activate && *" or "export NAME=value; *".`;
}
