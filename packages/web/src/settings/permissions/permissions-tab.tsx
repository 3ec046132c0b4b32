import { userSelectable } from "@baton/core/mode/user-selectable";
import { oneLine } from "@baton/core/text/sanitize";
import { useState } from "react";
import { usePermissions } from "../../store/data/use-permissions.ts";
import { useApp, useObservableValue } from "../../store/app-context.ts";
import { useModes } from "../../store/folder-context.ts";
import type { SettingsTabProps } from "../settings-tab.ts";
import { AddRule } from "./add-rule.tsx";
import { CeilingTable, RuleTable } from "./rule-table.tsx";
import { Tester } from "./permission-tester.tsx";
import "./permissions.css";
import type { Grant } from "@baton/core/protocol/rule";
import { ruleText } from "@baton/core/text/rule-text";
import { GRANT_SCOPES, RevokeGrant } from "../../components/details/revoke-grant.tsx";
import { formatDay } from "../../components/text/strings.ts";

/** The permissions in a folder: rules of a mode, grants, and a tester. */
export function PermissionsTab({ cwd, session }: SettingsTabProps) {
  const { lists, commands } = useApp();
  const modes = useModes();
  const defaultMode = useObservableValue(lists.status)?.defaultMode ?? "code";
  const ofSession = useObservableValue(lists.sessions)?.find(({ id }) => id === session)?.mode;
  const [picked, setPicked] = useState<string>();
  const mode = picked ?? ofSession ?? defaultMode;
  const { allowed, again } = usePermissions(cwd, mode, useObservableValue(lists.inbox));
  const offered = modes.filter((each) => userSelectable(each) || each.slug === mode).map(({ slug }) => slug);
  return (
    <>
      <header>
        <h1>Permissions</h1>
        <label className="row">
          <span className="dim">in mode</span>
          <select className="field" value={mode} onChange={(event) => setPicked(event.target.value)}>
            {(offered.includes(mode) ? offered : [mode, ...offered]).map((slug) => (
              <option key={slug} value={slug}>
                {oneLine(slug)}
              </option>
            ))}
          </select>
        </label>
      </header>
      <div className="split rules-and-tester">
        <Tester cwd={cwd} mode={mode} stamp={allowed} />
        <div>
          {allowed ? (
            <>
              <h2>Granted by your answers</h2>
              <GrantTable
                grants={allowed.grants}
                revoke={async ({ id }) => {
                  await commands.revokeGrant(cwd, id);
                  await again();
                }}
              />
              <h2>Rules in {oneLine(allowed.mode)} (the last match decides)</h2>
              <AddRule onAdded={again} />
              <RuleTable rules={allowed.rules} onChanged={again} />
              <CeilingTable lists={allowed.ceilings} />
            </>
          ) : undefined}
        </div>
      </div>
    </>
  );
}

/** Grants for this folder or all folders, each with a button to revoke it. */
function GrantTable({ grants, revoke }: { grants: readonly Grant[]; revoke: (grant: Grant) => Promise<void> }) {
  if (grants.length === 0)
    return (
      <p className="dim says">
        No grants. “This workspace” in an approval adds one. Grants of one session are in its “…” menu, under Permissions.
      </p>
    );
  return (
    <table className="table granted">
      <thead>
        <tr>
          <th>rule</th>
          <th>applies in</th>
          <th>granted</th>
          <th>
            <span className="vh">revoke</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {grants.map((grant) => (
          <tr key={grant.id}>
            <td>
              <code>{ruleText(grant.rule)}</code>
            </td>
            <td>{GRANT_SCOPES[grant.scope]}</td>
            <td className="nowrap">{formatDay(grant.givenAt)}</td>
            <td className="num">
              <RevokeGrant grant={grant} revoke={revoke} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
