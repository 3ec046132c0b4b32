import { formatCount, formatTokens } from "@baton/core/text/format";
import { oneLine } from "@baton/core/text/sanitize";
import { Icon } from "../../components/icon.tsx";
import type { ToolsetsData, ToolsetRow } from "./use-toolsets.ts";

/** Those that were built, and what is wrong with them. */
export function ToolsetList({
  known,
  picked,
  onPick,
}: {
  known: ToolsetsData;
  picked: string | undefined;
  onPick: (name: string) => void;
}) {
  const { toolsets, ofModes = [] } = known;
  return (
    <section aria-label="Those that were built">
      <h2 className="group">Toolsets</h2>
      {toolsets?.length === 0 ? <p className="nothing">None yet. Choose tools, give the selection a name, and keep it.</p> : undefined}
      {toolsets?.map((row) => {
        const modes = ofModes.filter(({ toolset }) => toolset === row.name).map(({ mode }) => mode);
        return (
          <button key={row.name} className="item" aria-pressed={row.name === picked} onClick={() => onPick(row.name)}>
            <Icon name="tools" />
            <span className="cut">{row.name}</span>
            <span className="end">{modes.length === 0 ? "" : `in ${oneLine(modes.join(", "))}`}</span>
            <span className="sub">{aboutOf(row)}</span>
          </button>
        );
      })}
    </section>
  );
}

const aboutOf = ({ toolCount, tokens: cost, missing, changed }: ToolsetRow): string =>
  [
    formatCount(toolCount, "tool"),
    `${formatTokens(cost)} tokens`,
    ...(missing.length > 0 ? [`${missing.length} not there`] : []),
    ...(changed.length > 0 ? [`${changed.length} changed`] : []),
  ].join(", ");
