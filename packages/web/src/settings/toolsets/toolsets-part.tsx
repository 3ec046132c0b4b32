import { useState } from "react";
import { Icon } from "../../components/icon.tsx";
import type { SettingsTabProps } from "../settings-tab.ts";
import { ToolsetAssignments } from "./toolset-assignments.tsx";
import { ServerList } from "./server-list.tsx";
import { ToolsetForm } from "./toolset-form.tsx";
import { ToolsetList } from "./toolset-list.tsx";
import { useToolsets } from "./use-toolsets.ts";
import "./toolsets.css";

/** Named selections of the tools of MCP servers: built here, and given to a session or to a mode. */
export function ToolsetsTab({ cwd, session }: SettingsTabProps) {
  const { known, again } = useToolsets(cwd);
  const [picked, setPicked] = useState<string>();
  const { tools, toolsets } = known;
  const shown = toolsets?.find(({ name }) => name === picked);
  return (
    <>
      <header>
        <h1>Toolsets</h1>
        <span className="dim">
          A named selection of the tools of MCP servers. Who has one sees those tools only; who has none sees all.
        </span>
        <span className="r row">
          <button className="btn" onClick={() => setPicked(undefined)}>
            <Icon name="add" />
            New toolset
          </button>
        </span>
      </header>
      <div className="split left">
        <div className="column">
          <ToolsetList known={known} picked={shown?.name} onPick={setPicked} />
          <ServerList cwd={cwd} known={known} again={again} />
        </div>
        <div className="column">
          <ToolsetAssignments cwd={cwd} known={known} session={session} again={again} />
          {tools && toolsets ? (
            <ToolsetForm
              key={shown?.name ?? ""}
              cwd={cwd}
              tools={tools}
              toolset={shown}
              names={toolsets.map(({ name }) => name)}
              onKept={(name) => {
                setPicked(name);
                again();
              }}
            />
          ) : (
            <p className="dim" role="status">
              Looking at what the servers have…
            </p>
          )}
        </div>
      </div>
    </>
  );
}
