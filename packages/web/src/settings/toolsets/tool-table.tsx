import { escapeInvisible } from "@baton/core/text/sanitize";
import { Icon } from "../../components/icon.tsx";
import type { ListedTool } from "./use-toolsets.ts";

type Props = { tools: readonly ListedTool[]; chosen: ReadonlySet<string>; onToggle: (tool: string, on: boolean) => void };

/** Tools to choose from, with their description and approximate cost in tokens. */
export const ToolTable = ({ tools, chosen, onToggle }: Props) => (
  <table className="table stack toolrows">
    <thead>
      <tr>
        <th>
          <span className="vh">selected</span>
        </th>
        <th>tool</th>
        <th>description</th>
        <th className="num">tokens</th>
      </tr>
    </thead>
    <tbody>
      {tools.map((tool) => (
        <ToolRow
          key={tool.namespacedName}
          tool={tool}
          on={chosen.has(tool.namespacedName)}
          onToggle={(on) => onToggle(tool.namespacedName, on)}
        />
      ))}
    </tbody>
  </table>
);

function ToolRow({
  tool: { namespacedName, description, hints, tokens },
  on,
  onToggle,
}: {
  tool: ListedTool;
  on: boolean;
  onToggle: (on: boolean) => void;
}) {
  return (
    <tr>
      <td>
        <input type="checkbox" aria-label={namespacedName} checked={on} onChange={(event) => onToggle(event.target.checked)} />
      </td>
      <td>
        <code>{escapeInvisible(namespacedName)}</code>
      </td>
      <td className="soft">
        {escapeInvisible(description)}{" "}
        {hints.readOnly ? <span className="tag">read only</span> : hints.destructive ? <Destructive /> : undefined}
      </td>
      <td className="num">{tokens}</td>
    </tr>
  );
}

const Destructive = () => (
  <span className="tag">
    <Icon name="warning" small />
    destructive
  </span>
);
