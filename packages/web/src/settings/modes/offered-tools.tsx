import { oneLine } from "@baton/core/text/sanitize";
import { useApp } from "../../store/app-context.ts";
import { useQuery } from "../../store/data/use-query.ts";
import { Icon } from "../../components/icon.tsx";
import type { ListedMode } from "./use-modes.ts";

const MAX_TOOLS_SHOWN = 12;

/** The tools that a saved mode offers, and the withheld tools with the reason. */
export function ToolsOfMode({ mode, cwd }: { mode: ListedMode; cwd: string }) {
  const { lists } = useApp();
  const { data: tools } = useQuery(() => lists.modeTools(mode.slug, cwd), [lists, mode, cwd]);
  if (!tools) return undefined;
  const offered = Map.groupBy(tools.offered, ({ group, effect }) => `${group ?? ""} ${effect}`);
  const withheld = Map.groupBy(tools.withheld, ({ reason }) => reason);
  return (
    <div className="f">
      <h3>Tools in this mode</h3>
      <ul className="toolsof">
        {[...offered].map(([key, [first, ...more]]) => (
          <li key={key}>
            <Icon name={first?.effect === "deny" ? "circle-slash" : "check"} small className="dim" />
            <span>
              <code>{toolNames([first, ...more])}</code> <span className="dim">{first ? EFFECTS[first.effect] : ""}</span>
            </span>
          </li>
        ))}
        {[...withheld].map(([reason, lacking]) => (
          <li key={reason} className="dim">
            <Icon name="circle-slash" small />
            <span>
              <code>{toolNames(lacking)}</code> {oneLine(reason)}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}

const EFFECTS = { allow: "", ask: "asks", deny: "denied by rules" };

function toolNames(tools: readonly ({ name: string } | undefined)[]): string {
  const names = tools.flatMap((tool) => (tool ? [oneLine(tool.name)] : []));
  return names.length <= MAX_TOOLS_SHOWN
    ? names.join(" ")
    : `${names.slice(0, MAX_TOOLS_SHOWN).join(" ")} and ${names.length - MAX_TOOLS_SHOWN} more`;
}
