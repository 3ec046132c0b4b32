import type { PlacedRule, Resource, Rule } from "../protocol/rule.ts";
import { matchesWildcard } from "./wildcard.ts";

/** Sets up the shell for the commands behind it: reads a script such as that of a Python environment, or exports a variable. */
const PART = /(?:(?:\.|source) [\w./@+-]+|export (\w+)=[\w./:,@%+=-]*)(?: && |; )/y;
/** With these the gate would judge the rest for another folder or another reading than the shell's. */
const STEERS = /^(?:HOME|PWD|OLDPWD|CDPATH|IFS|ENV|SHELLOPTS|BASH\w*|GLOBIGNORE|POSIXLY_CORRECT|PS\d|PROMPT_COMMAND|LD_\w+|DYLD_\w+)$/;

/** How many characters at the beginning of a command only set up the shell; with what joins them to the rest. */
export function leadingLength(command: string): number {
  let end = 0;
  for (;;) {
    PART.lastIndex = end;
    const part = PART.exec(command);
    if (!part || STEERS.test(part[1] ?? "")) return end;
    end = PART.lastIndex;
  }
}

/** Whether a rule names what sets up the shell, word for word, and leaves the rest open: `. .venv/bin/activate && *`. */
const isLeading = (resource: Resource): resource is string =>
  typeof resource === "string" && resource.endsWith("*") && resource.length > 1 && leadingLength(resource) === resource.length - 1;

/** The longest beginning of a command that a rule allows so, with the text of that rule. */
export function isLeadAllowed(command: string, rules: readonly PlacedRule[], tool: string): { lead: string; leads: string } | undefined {
  const fits = rules.flatMap(({ action, resource, effect }) =>
    effect === "allow" &&
    isLeading(resource) &&
    command.startsWith(resource.slice(0, -1)) &&
    (matchesWildcard(action, "command") || matchesWildcard(action, tool))
      ? [resource]
      : [],
  );
  const leads = fits.toSorted((a, b) => b.length - a.length)[0];
  return leads === undefined ? undefined : { lead: leads.slice(0, -1), leads };
}

/** The rule that would allow how a command begins and leave the rest to be judged. */
export function leadingRule(command: string): Rule | undefined {
  const length = leadingLength(command);
  return length === 0 ? undefined : { action: "command", resource: `${command.slice(0, length)}*`, effect: "allow" };
}

/** Why a rule that allows commands can never apply; undefined where it may. */
export function leadingRuleProblem({ action, resource, effect }: Rule): string | undefined {
  if (effect !== "allow" || (action !== "command" && action !== "run_command") || typeof resource !== "string") return undefined;
  if (!/[*?]/.test(resource) || isLeading(resource) || !/ (?:&&|\|\|?|&) |; |\n/.test(resource)) return undefined;
  return `It spans several commands, and each is judged by itself, so it never allows anything. Write a rule for each of them, or the exact text. Only what sets up the shell may stand before the rest, as in ". .venv/bin/activate && *" or "export NAME=value; *".`;
}
