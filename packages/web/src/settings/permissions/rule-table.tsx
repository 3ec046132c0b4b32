import type { PlacedRule } from "@baton/core/protocol/rule";
import { escapeInvisible, oneLine } from "@baton/core/text/sanitize";
import { typedResource, isFallback } from "@baton/core/text/rule-text";
import { formatCount } from "@baton/core/text/format";
import { useState } from "react";
import { Icon } from "../../components/icon.tsx";
import { EffectBadge } from "./effect-badge.tsx";

/** Rules in config order. The many built-in rules are collapsed. */
export function RuleTable({ rules }: { rules: readonly PlacedRule[] }) {
  const [open, setOpen] = useState(false);
  const builtIn = rules.filter(({ layer }) => layer === "defaults");
  return (
    <table className="table stack rules">
      <Head />
      <tbody>
        <tr>
          <td colSpan={5} className="fold-of">
            <button type="button" className="btn quiet small" aria-expanded={open} onClick={() => setOpen(!open)}>
              <Icon name={open ? "chevron-down" : "chevron-right"} small />
              {formatCount(builtIn.length, "built-in rule")}, before all others
            </button>
          </td>
        </tr>
        {rules
          .filter(({ layer }) => open || layer !== "defaults")
          .map((rule, i) => (
            <RuleLine key={i} rule={rule} />
          ))}
      </tbody>
    </table>
  );
}

/** The ceilings, each in its own table body. */
export function CeilingTable({ lists }: { lists: readonly (readonly PlacedRule[])[] }) {
  if (lists.length === 0) return undefined;
  return (
    <>
      <h2>Always enforced</h2>
      <p className="dim says">No rule overrides these. In each list the last match decides; it can only make the verdict stricter.</p>
      <table className="table stack rules above">
        <Head />
        {lists.map((rules, i) => (
          <tbody key={i}>
            {rules.map((rule, nth) => (
              <RuleLine key={nth} rule={rule} above />
            ))}
          </tbody>
        ))}
      </table>
    </>
  );
}

const Head = () => (
  <thead>
    <tr>
      <th>effect</th>
      <th>action</th>
      <th>resource</th>
      <th>layer</th>
      <th>source</th>
    </tr>
  </thead>
);

function RuleLine({ rule, above = false }: { rule: PlacedRule; above?: boolean }) {
  const { effect, action, resource, layer, source, unless } = rule;
  return (
    <tr>
      <td>
        <EffectBadge effect={effect} above={above} />
      </td>
      <td>{escapeInvisible(action)}</td>
      <td>
        {isFallback(rule) ? <span className="dim">everything else</span> : <code>{escapeInvisible(typedResource(resource))}</code>}
        {unless === "reads" ? <span className="dim"> unless it only reads</span> : undefined}
      </td>
      <td className="layer">{layer}</td>
      <td className={layer === "defaults" ? "dim" : undefined}>{oneLine(source)}</td>
    </tr>
  );
}
