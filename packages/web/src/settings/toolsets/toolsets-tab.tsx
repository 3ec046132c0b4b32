import { useState } from "react";
import { Icon } from "../../components/icon.tsx";
import type { SettingsTabProps } from "../settings-tab.ts";
import { ToolsetAssignments } from "./toolset-assignments.tsx";
import { ScriptToolsSection } from "./script-tools.tsx";
import { ServerList } from "./server-list.tsx";
import { ToolsetForm } from "./toolset-form.tsx";
import { useToolsets, type ToolsetsData, type ToolsetRow } from "./use-toolsets.ts";
import "./toolsets.css";
import { formatCount, formatTokens } from "@baton/core/text/format";
import { oneLine } from "@baton/core/text/sanitize";

/** Toolsets: named selections of tools, for a session or a mode. */
export function ToolsetsTab({ cwd, session }: SettingsTabProps) {
  const { known, again } = useToolsets(cwd);
  const [picked, setPicked] = useState<string>();
  const { tools, toolsets } = known;
  const selected = toolsets?.find(({ name }) => name === picked);
  return (
    <>
      <header>
        <h1>Toolsets</h1>
        <span className="dim">
          A toolset is a named selection of the tools of MCP servers. A session with a toolset sees only those tools.
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
          <ToolsetList known={known} picked={selected?.name} onPick={setPicked} />
          <ServerList cwd={cwd} known={known} again={again} />
          <ScriptToolsSection cwd={cwd} />
        </div>
        <div className="column">
          <ToolsetAssignments cwd={cwd} known={known} session={session} again={again} />
          {tools && toolsets ? (
            <ToolsetForm
              key={selected?.name ?? ""}
              cwd={cwd}
              tools={tools}
              toolset={selected}
              names={toolsets.map(({ name }) => name)}
              onKept={(name) => {
                setPicked(name);
                again();
              }}
            />
          ) : (
            <p className="dim" role="status">
              Loading the tools of the servers…
            </p>
          )}
        </div>
      </div>
    </>
  );
}

/** The saved toolsets with their problems. */
function ToolsetList({ known, picked, onPick }: { known: ToolsetsData; picked: string | undefined; onPick: (name: string) => void }) {
  const { toolsets, ofModes = [] } = known;
  return (
    <section aria-label="Saved toolsets">
      <h2 className="group">Toolsets</h2>
      {toolsets?.length === 0 ? <p className="nothing">None yet. Select tools, name the selection and save it.</p> : undefined}
      {toolsets?.map((row) => {
        const modes = ofModes.filter(({ toolset }) => toolset === row.name).map(({ mode }) => mode);
        return (
          <button key={row.name} className="item" aria-pressed={row.name === picked} onClick={() => onPick(row.name)}>
            <Icon name="tools" />
            <span className="cut">{row.name}</span>
            <span className="end">{modes.length === 0 ? "" : `in ${oneLine(modes.join(", "))}`}</span>
            <span className="sub">{toolsetFacts(row)}</span>
          </button>
        );
      })}
    </section>
  );
}

const toolsetFacts = ({ toolCount, tokens: cost, missing, changed }: ToolsetRow): string =>
  [
    formatCount(toolCount, "tool"),
    `${formatTokens(cost)} tokens`,
    ...(missing.length > 0 ? [`${missing.length} missing`] : []),
    ...(changed.length > 0 ? [`${changed.length} changed`] : []),
  ].join(", ");
