import type { Request } from "../../protocol/request.ts";
import type { AccessVerdict, SourcedRule } from "../../protocol/rule.ts";
import { asksForTrust, isFallback, ruleOrigin, ruleText, UNTRUSTED_FOLDER } from "../rule-text.ts";
import { oneLine } from "../sanitize.ts";

/** Why an approval asks, as one sentence. Code is between backticks. */
export function requestReason({ verdicts = [], rule }: Pick<Request, "verdicts" | "rule">): string {
  const asking = verdicts.filter(({ effect }) => effect === "ask").map((verdict) => verdict.rule);
  const rules = asking.length === 0 ? [rule ?? null] : asking;
  const gates = [...new Set(rules.flatMap((each) => (each?.layer === "gate" ? gateReason(each) : [])))];
  if (gates.length > 0) return `Asks because ${gates.join(", and because ")}.`;
  if (asksForTrust(verdicts)) return `Asks because ${UNTRUSTED_FOLDER}.`;
  const named = rules.find((each) => each && !isFallback(each) && each.source !== UNTRUSTED_FOLDER);
  return named
    ? `Asks because of the rule \`${ruleText(named).replaceAll("`", "'")}\` (${originOf(named)}).`
    : "Asks because no rule allows it.";
}

/** The verdicts that tell the user something: without accesses that only may happen, and that no rule limits. */
export const shownVerdicts = (verdicts: readonly AccessVerdict[]): AccessVerdict[] =>
  verdicts.filter(({ effect, rule }) => effect !== "allow" || rule !== null);

const originOf = (rule: SourcedRule): string => (rule.layer === "defaults" ? "built in" : oneLine(ruleOrigin(rule)));

/** A gate writes its reason as a verb phrase ("deletes a folder") or as a noun phrase ("files that hold keys"). */
function gateReason({ source }: SourcedRule): string {
  const why = oneLine(source).replace(/^[a-z]+ gate: /, "");
  if (why === "files that hold keys") return "the file may hold keys";
  if (why === "protected names") return "the name is protected";
  if (why.startsWith("unsaved changes")) return `of ${why}`;
  return /^[a-z]+s\b/.test(why) ? `it ${why}` : why;
}
