import { userSelectable } from "@baton/core/mode/user-selectable";
import { oneLine } from "@baton/core/text/sanitize";
import { useState } from "react";
import { usePermissions } from "../../store/use-permissions.ts";
import { useApp, useObservableValue } from "../../store/app-context.ts";
import { useModes } from "../../store/folder-context.ts";
import type { SettingsTabProps } from "../settings-tab.ts";
import { GrantTable } from "./grant-table.tsx";
import { CeilingTable, RuleTable } from "./rule-table.tsx";
import { Tester } from "./tester.tsx";
import "./permissions.css";

/** What may be done in a folder: the rules that hold in a mode, what was granted, and what would happen. */
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
                  again();
                }}
              />
              <h2>Rules in {oneLine(allowed.mode)}: the last that matches decides</h2>
              <RuleTable rules={allowed.rules} />
              <CeilingTable lists={allowed.above} />
            </>
          ) : undefined}
        </div>
      </div>
    </>
  );
}
