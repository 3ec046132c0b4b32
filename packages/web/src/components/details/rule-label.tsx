import type { SourcedRule } from "@baton/core/protocol/rule";
import { oneLine } from "@baton/core/text/sanitize";
import { isFallback, ruleOrigin, ruleText } from "@baton/core/text/rule-text";

/** A rule with its source: `rule command git push * · user, config.jsonc:14`. */
export function RuleLabel({ rule }: { rule: SourcedRule }) {
  const source = `${rule.layer}, ${oneLine(ruleOrigin(rule))}`;
  if (isFallback(rule)) return <span>the rule for everything else · {source}</span>;
  return (
    <span>
      rule <code>{ruleText(rule)}</code> · {source}
    </span>
  );
}
