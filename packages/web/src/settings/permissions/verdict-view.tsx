import type { AccessVerdict, Effect } from "@baton/core/protocol/rule";
import { shownVerdicts } from "@baton/core/text/request/request-reason";
import { escapeInvisible } from "@baton/core/text/sanitize";
import { RuleLabel } from "../../components/details/rule-label.tsx";
import { Sign } from "./effect-badge.tsx";
import type { PermissionCheckResult } from "./use-permission-check.ts";

const WORDS: Readonly<Record<Effect, string>> = { allow: "Allowed", ask: "Asks first", deny: "Denied" };

/** The verdict with its reason, and the verdict for each access. `tool` is set if a call was checked. */
export function VerdictView({ checked, tool }: { checked: PermissionCheckResult; tool: string | undefined }) {
  if ("error" in checked) return <p className="hint bad">{escapeInvisible(checked.error)}</p>;
  const { effect, why, offered } = checked;
  const accesses = shownVerdicts(checked.accesses);
  return (
    <>
      <div className="answer">
        <strong className="row">
          <Sign effect={effect} />
          {WORDS[effect]}
        </strong>
        <span className="soft">{escapeInvisible(why)}</span>
        {tool === undefined || offered ? undefined : (
          <span className="soft">
            This mode does not offer <code>{escapeInvisible(tool)}</code>.
          </span>
        )}
      </div>
      {accesses.length === 0 ? undefined : (
        <ul className="verdicts" aria-label="Verdict for each part">
          {accesses.map((access, i) => (
            <Part key={i} access={access} />
          ))}
        </ul>
      )}
    </>
  );
}

function Part({ access: { effect, action, resource, rule } }: { access: AccessVerdict }) {
  return (
    <li>
      <Sign effect={effect} />
      <span className={effect === "deny" ? "strong" : undefined}>{effect}</span>
      <span>
        <code>
          <b>{escapeInvisible(action)}</b> {escapeInvisible(resource)}
        </code>
        <span className="dim">{rule ? <RuleLabel rule={rule} /> : "no rule matches"}</span>
      </span>
    </li>
  );
}
