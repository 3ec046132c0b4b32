import { isToolsetName } from "@baton/core/protocol/toolset/toolset-name";
import { escapeInvisible } from "@baton/core/text/sanitize";
import { formatCount, formatTokens as short } from "@baton/core/text/format";
import { useState, type FormEvent } from "react";
import { useApp, useConnected } from "../../store/app-context.ts";
import { ToolTable } from "./tool-table.tsx";
import { runToolsetTool, type ListedTool, type ToolsetRow } from "./use-toolsets.ts";

type Props = {
  cwd: string;
  tools: readonly ListedTool[];
  /** The toolset to edit; undefined for a new one. */
  toolset: ToolsetRow | undefined;
  names: readonly string[];
  onKept: (name: string | undefined) => void;
};

/** The tools of a toolset. Nothing is saved until the user saves it. */
export function ToolsetForm({ cwd, tools, toolset, names, onKept }: Props) {
  const { link, tell } = useApp();
  const connected = useConnected();
  const had = toolset
    ? tools.filter(({ inToolsets }) => inToolsets.includes(toolset.name)).map(({ namespacedName }) => namespacedName)
    : [];
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set(had));
  const [newName, setNamed] = useState("");
  const [description, setDescription] = useState(toolset?.description ?? "");
  const [search, setWanted] = useState("");
  const [sure, setSure] = useState(false);
  const [busy, setBusy] = useState(false);
  const name = toolset?.name ?? newName;
  const problem = toolset ? undefined : nameError(newName, names);
  const cost = (of: readonly ListedTool[]) => of.reduce((sum, { tokens }) => sum + tokens, 0);
  const isSame =
    toolset !== undefined && description === toolset.description && chosen.size === had.length && had.every((each) => chosen.has(each));
  const stale = (toolset?.missing.length ?? 0) + (toolset?.changed.length ?? 0) > 0;
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const visible = tools.filter((tool) => words.every((word) => `${tool.namespacedName} ${tool.description}`.toLowerCase().includes(word)));

  const run = (action: () => Promise<string | undefined>) => {
    setBusy(true);
    action()
      .then(onKept, tell)
      .finally(() => setBusy(false));
  };
  const keep = (event: FormEvent) => {
    event.preventDefault();
    const refs = tools.filter((tool) => chosen.has(tool.namespacedName)).map(({ namespacedName }) => ({ namespacedName }));
    run(async () => {
      await runToolsetTool(link.api, cwd, "build-toolset", { name, tools: refs, description, replace: toolset !== undefined });
      return name;
    });
  };
  const remove = () =>
    run(async () => {
      await runToolsetTool(link.api, cwd, "delete-toolset", { name, confirm: true });
      return undefined;
    });
  const toggle = (tool: string, on: boolean) =>
    setChosen((before) => new Set(on ? [...before, tool] : [...before].filter((each) => each !== tool)));

  return (
    <form className="card form flush" aria-label={toolset ? `The toolset ${toolset.name}` : "A new toolset"} onSubmit={keep}>
      <div className="row wrap head">
        {toolset ? (
          <h2>{toolset.name}</h2>
        ) : (
          <input
            className="field mono name"
            aria-label="Name of the new toolset"
            placeholder="name-of-the-toolset"
            spellCheck={false}
            value={newName}
            aria-invalid={newName !== "" && problem !== undefined}
            aria-describedby="toolset-fault"
            onChange={(event) => setNamed(event.target.value)}
          />
        )}
        <span className="dim">
          {chosen.size} of {formatCount(tools.length, "tool")} · {short(cost(tools.filter((tool) => chosen.has(tool.namespacedName))))} of{" "}
          {short(cost(tools))} tokens
        </span>
        <span className="r row">
          {toolset === undefined ? undefined : sure ? (
            <>
              <button type="button" className="btn small" disabled={!connected || busy} onClick={remove}>
                Delete for good
              </button>
              <button type="button" className="btn small quiet" onClick={() => setSure(false)}>
                Cancel
              </button>
            </>
          ) : (
            <button type="button" className="btn small quiet" disabled={!connected || busy} onClick={() => setSure(true)}>
              Delete
            </button>
          )}
          <button className="btn solid" disabled={!connected || busy || chosen.size === 0 || problem !== undefined || (isSame && !stale)}>
            {stale && isSame ? "Accept changes" : "Save"}
          </button>
        </span>
      </div>
      <p className="hint bad inset" id="toolset-fault" role="status">
        {newName === "" ? "" : problem}
      </p>
      {toolset && toolset.missing.length > 0 ? (
        <p className="inset">Not available now: {toolset.missing.map(escapeInvisible).join(", ")}.</p>
      ) : undefined}
      {toolset && toolset.changed.length > 0 ? (
        <p className="inset">Withheld because they changed since they were selected: {toolset.changed.map(escapeInvisible).join(", ")}.</p>
      ) : undefined}
      <div className="inset fields">
        <input
          className="field"
          aria-label="Description"
          placeholder="Description"
          maxLength={200}
          value={description}
          onChange={(event) => setDescription(event.target.value)}
        />
        <input
          className="field"
          type="search"
          aria-label="Search tools"
          placeholder="Search tools"
          value={search}
          onChange={(event) => setWanted(event.target.value)}
        />
      </div>
      <div className="wrapx inset">
        <ToolTable tools={visible} chosen={chosen} onToggle={toggle} />
        {visible.length === 0 ? (
          <p className="dim none">{tools.length === 0 ? "No server provides tools here." : "No tool matches."}</p>
        ) : undefined}
        <p className="dim hint">A server's description of its tools is not verified. Only rules decide what they may do.</p>
      </div>
    </form>
  );
}

/** Why a name is not valid for a new toolset. */
function nameError(name: string, names: readonly string[]): string | undefined {
  if (names.includes(name)) return `The toolset ${name} exists already. Choose it at the left to change it.`;
  return isToolsetName(name) ? undefined : `A name has 2 to 50 characters: a to z, digits and dashes.`;
}
