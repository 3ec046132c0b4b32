import { oneLine } from "@baton/core/text/sanitize";
import { useState } from "react";
import { useApp, useConnected } from "../../store/app-context.ts";
import { useModes } from "../../store/folder-context.ts";
import { useQuery } from "../../store/data/use-query.ts";
import { routeHref } from "../../store/route.ts";
import { useSessionRow } from "../../store/session/session-context.ts";
import { ModeName } from "../../components/composer/mode-name.tsx";
import { toolResult, type ToolsetsData } from "./use-toolsets.ts";

type Props = { cwd: string; known: ToolsetsData; session: string | undefined; again: () => void };

/** The active toolset of the session from which the user came, and of each mode. A change applies from the next step. */
export function ToolsetAssignments({ cwd, known: { toolsets = [], ofModes = [] }, session, again }: Props) {
  const { link, tell } = useApp();
  const modes = useModes();
  const [mode, setMode] = useState("");
  const names = toolsets.map(({ name }) => name);
  const give = (slug: string, name: string | null) =>
    void link.api.toolset.equipMode.mutate({ cwd, mode: slug, name }).then(toolResult).then(again, tell);
  const others = modes.filter(({ slug }) => !ofModes.some((each) => each.mode === slug));
  return (
    <section className="card given" aria-label="Active toolsets">
      <h2 className="group">Active toolsets</h2>
      {session === undefined ? undefined : <OfSession id={session} names={names} />}
      {ofModes.map(({ mode: slug, toolset }) => (
        <Choice
          key={slug}
          label={`Toolset of ${slug}`}
          names={names}
          value={toolset}
          onChange={(name) => give(slug, name)}
          nothing="all tools"
        >
          <span className="row">
            Sessions in <ModeName slug={slug} />
          </span>
        </Choice>
      ))}
      {names.length === 0 || others.length === 0 ? undefined : (
        <div className="row wrap">
          <select className="field" aria-label="A mode" value={mode} onChange={(event) => setMode(event.target.value)}>
            <option value="">Choose a mode…</option>
            {others.map(({ slug }) => (
              <option key={slug}>{slug}</option>
            ))}
          </select>
          {mode === "" ? (
            <span className="dim">sets a toolset for all its sessions that have none of their own</span>
          ) : (
            <Choice
              label={`Toolset of ${mode}`}
              names={names}
              value={null}
              nothing="all tools"
              onChange={(name) => {
                setMode("");
                give(mode, name);
              }}
            />
          )}
        </div>
      )}
      {names.length === 0 && session === undefined ? <p className="dim">No toolset is active: every session has all tools.</p> : undefined}
    </section>
  );
}

function OfSession({ id, names }: { id: string; names: readonly string[] }) {
  const { link, tell } = useApp();
  const row = useSessionRow(id);
  const load = async (signal: AbortSignal): Promise<string | null> => {
    const { state } = await link.api.session.open.query({ sessionId: id, tail: 1 }, { signal });
    return state.toolset?.equipped?.name ?? null;
  };
  const { data: own, refetch } = useQuery(load, [link, id], { onError: tell });
  if (own === undefined) return undefined;
  const give = (name: string | null) => void link.api.toolset.equip.mutate({ sessionId: id, name }).then(toolResult).then(refetch, tell);
  return (
    <Choice label="Toolset of this session" names={names} value={own} onChange={give} nothing="the toolset of its mode">
      <span className="cut">
        <a href={routeHref({ page: "session", id })}>{oneLine(row?.title ?? "") || "This session"}</a>
      </span>
    </Choice>
  );
}

type ChoiceProps = {
  label: string;
  names: readonly string[];
  value: string | null;
  nothing: string;
  onChange: (name: string | null) => void;
  children?: React.ReactNode;
};

/** A select field for a toolset. It still shows a toolset that was deleted. */
function Choice({ label, names, value, nothing, onChange, children }: ChoiceProps) {
  const connected = useConnected();
  const gone = value !== null && !names.includes(value);
  return (
    <div className="row wrap">
      {children}
      <select
        className="field r"
        aria-label={label}
        disabled={!connected}
        value={value ?? ""}
        onChange={(event) => onChange(event.target.value || null)}
      >
        <option value="">{nothing}</option>
        {gone ? <option value={value}>{value} (deleted: no tools)</option> : undefined}
        {names.map((name) => (
          <option key={name}>{name}</option>
        ))}
      </select>
    </div>
  );
}
