import type { Grant, SourcedRule } from "@baton/core/protocol/rule";
import type { SessionState } from "@baton/core/session/state";
import { oneLine } from "@baton/core/text/sanitize";
import { isFallback, ruleText } from "@baton/core/text/rule-text";
import { usePermissions } from "../../store/data/use-permissions.ts";
import { useApp } from "../../store/app-context.ts";
import { useSession } from "../../store/session/session-context.ts";
import { Dialog } from "../dialog.tsx";
import { GRANT_SCOPES, RevokeGrant } from "./revoke-grant.tsx";
import { formatDay } from "../text/strings.ts";

/** Shows the session's grants with a button to revoke each, and the rules of its mode. */
export function PermissionsDialog({ state, onClose }: { state: SessionState; onClose: () => void }) {
  const { workspace, mode, grants } = state;
  const { commands } = useApp();
  const { id } = useSession();
  const { allowed, again } = usePermissions(workspace, mode, grants);
  const remembered = allowed && [...grants, ...allowed.grants];
  const revoke = async (grant: Grant) => {
    if (grant.scope === "session") await commands.send(id, { type: "revokeGrant", grantId: grant.id });
    else await commands.revokeGrant(workspace, grant.id);
    await again();
  };
  return (
    <Dialog title="Permissions" onClose={onClose}>
      <h3>Granted by your answers</h3>
      {remembered?.length === 0 ? <p className="dim">No grants. “This session” and “This workspace” in an approval add one.</p> : undefined}
      <ul className="plain-list">
        {remembered?.map((grant) => (
          <li key={grant.id} className="row">
            <div>
              <code>{ruleText(grant.rule)}</code>
              <div className="dim">
                {GRANT_SCOPES[grant.scope]}
                {grant.scope === "session" ? `, in ${oneLine(grant.mode)}` : ""}, {formatDay(grant.givenAt)}
              </div>
            </div>
            <RevokeGrant grant={grant} revoke={revoke} />
          </li>
        ))}
      </ul>
      <h3>Rules in {oneLine(mode)} (the last match decides)</h3>
      <RuleList rules={allowed?.rules} />
      {allowed && allowed.ceilings.length > 0 ? <h3>Always enforced: each can only make the verdict stricter</h3> : undefined}
      {allowed?.ceilings.map((rules, i) => (
        <RuleList key={i} rules={rules} left="leave" />
      ))}
      <form method="dialog">
        <button className="btn">Close</button>
      </form>
    </Dialog>
  );
}

/** Rules in order. `left` is shown for an `allow` of a ceiling, which does not change the verdict. */
function RuleList({ rules, left = "allow" }: { rules: readonly SourcedRule[] | undefined; left?: string }) {
  return (
    <ol className="plain-list mono">
      {rules?.map((rule, i) => (
        <li key={i}>
          <span className="effect">{rule.effect === "allow" ? left : rule.effect}</span>
          {isFallback(rule) ? "everything else" : ruleText(rule)}{" "}
          <span className="dim">
            {rule.layer}, {oneLine(rule.source)}
          </span>
        </li>
      ))}
    </ol>
  );
}
