import type { Effect, SourcedRule, Resource } from "@baton/core/protocol/rule";
import { escapeInvisible, oneLine } from "@baton/core/text/sanitize";
import { typedResource, isFallback, ruleOrigin, ruleText } from "@baton/core/text/rule-text";
import { formatCount } from "@baton/core/text/format";
import { runDetached } from "@baton/core/client/run-detached";
import { useState } from "react";
import { Icon } from "../../components/icon.tsx";
import { useApp, useConnected } from "../../store/app-context.ts";
import { RuleForm } from "./rule-form.tsx";
import { EffectBadge } from "./effect-badge.tsx";

/** Rules in config order. The many built-in rules are collapsed. The user can change those of their own config. */
export function RuleTable({ rules, onChanged }: { rules: readonly SourcedRule[]; onChanged: () => Promise<void> }) {
  const [open, setOpen] = useState(false);
  const [editing, setEditing] = useState<SourcedRule>();
  const builtIn = rules.filter(({ layer }) => layer === "defaults");
  return (
    <table className="table stack rules">
      <Head />
      <tbody>
        <tr>
          <td colSpan={6} className="fold-of">
            <button type="button" className="btn quiet small" aria-expanded={open} onClick={() => setOpen(!open)}>
              <Icon name={open ? "chevron-down" : "chevron-right"} small />
              {formatCount(builtIn.length, "built-in rule")}, before all others
            </button>
          </td>
        </tr>
        {rules
          .filter(({ layer }) => open || layer !== "defaults")
          .map((rule, i) =>
            editing !== undefined && isSame(rule, editing) ? (
              <tr key={i}>
                <td colSpan={6} className="editing">
                  <EditRule rule={rule} onChanged={onChanged} onClose={() => setEditing(undefined)} />
                </td>
              </tr>
            ) : (
              <RuleLine key={i} rule={rule} onEdit={isOwn(rule) ? () => setEditing(rule) : undefined} />
            ),
          )}
      </tbody>
    </table>
  );
}

/** A rule that is written in the config of the user. The lists of `network` are settings of their own. */
const isOwn = ({ layer, source }: SourcedRule): boolean => layer === "user" && /^config\.jsonc:\d+$/.test(source);

const isSame = (one: SourcedRule, other: SourcedRule): boolean =>
  one.source === other.source && JSON.stringify(one) === JSON.stringify(other);

function EditRule({ rule, onChanged, onClose }: { rule: SourcedRule; onChanged: () => Promise<void>; onClose: () => void }) {
  const { link, tell } = useApp();
  const { action, resource, effect, source } = rule;
  const change = async (to: { effect: Effect; resource?: Resource } | null) => {
    await link.api.permission.change.mutate({ rule: { action, resource, effect, source }, to });
    await onChanged();
  };
  return (
    <RuleForm
      label={`Rule ${ruleText(rule)}`}
      hint={
        <>
          <code>*</code> stands for any text. The rule stays at its place in <code>{source}</code>, and the text around it as it is.
        </>
      }
      rule={rule}
      onSave={(changed) => change({ effect: changed.effect, ...(changed.resource === resource ? {} : { resource: changed.resource }) })}
      onRemove={() => change(null)}
      onClose={() => {
        onClose();
        runDetached(onChanged(), tell); // the rule may have changed meanwhile
      }}
    />
  );
}

/** The ceilings, each in its own table body. */
export function CeilingTable({ lists }: { lists: readonly (readonly SourcedRule[])[] }) {
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
      <th>
        <span className="vh">change</span>
      </th>
    </tr>
  </thead>
);

function RuleLine({ rule, above = false, onEdit }: { rule: SourcedRule; above?: boolean; onEdit?: (() => void) | undefined }) {
  const connected = useConnected();
  const { effect, action, resource, layer, unless } = rule;
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
      <td className={layer === "defaults" ? "dim" : undefined}>{oneLine(ruleOrigin(rule))}</td>
      <td className="num">
        {onEdit === undefined ? undefined : (
          <button
            type="button"
            className="btn quiet small"
            aria-label={`Change the rule ${effect} ${ruleText(rule)}`}
            disabled={!connected}
            onClick={onEdit}
          >
            Change
          </button>
        )}
      </td>
    </tr>
  );
}
