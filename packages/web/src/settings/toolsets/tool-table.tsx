import { escapeInvisible } from "@baton/core/text/sanitize";
import { Icon } from "../../components/icon.tsx";
import type { ListedTool } from "./use-toolsets.ts";

type Props = { tools: readonly ListedTool[]; chosen: ReadonlySet<string>; onToggle: (tool: string, on: boolean) => void };

/** Tools to choose among: what each says about itself, and about what it costs in each request. */
export const ToolTable = ({ tools, chosen, onToggle }: Props) => (
  <table className="table stack toolrows">
    <thead>
      <tr>
        <th>
          <span className="vh">chosen</span>
        </th>
        <th>tool</th>
        <th>says about itself</th>
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
