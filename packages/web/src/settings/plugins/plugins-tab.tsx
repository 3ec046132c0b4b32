import { errorMessage } from "@baton/core/client/rpc-errors";
import { runDetached } from "@baton/core/client/run-detached";
import { oneLine } from "@baton/core/text/sanitize";
import { useState } from "react";
import { useApp, useConnected } from "../../store/app-context.ts";
import { useQuery } from "../../store/data/use-query.ts";
import type { SettingsTabProps } from "../settings-tab.ts";
import { PluginContents } from "./plugin-contents.tsx";
import { PluginOfferCard, type FetchedPlugin } from "./plugin-offer.tsx";
import { pluginEnablementText, type PluginRow } from "./plugin-enablement-text.ts";
import "./plugins.css";

/** The installed plugins, and a form that fetches one, shows its contents and installs it after an approval. */
export function PluginsTab({ cwd }: SettingsTabProps) {
  const { link } = useApp();
  const connected = useConnected();
  const [problem, setProblem] = useState<string>();
  const [offer, setOffer] = useState<FetchedPlugin>();
  const [source, setSource] = useState("");
  const [isBusy, setBusy] = useState(false);
  const onError = (error: unknown) => setProblem(errorMessage(error));
  const list = (signal: AbortSignal) => link.api.plugin.list.query({ cwd }, { signal });
  const { data, refetch } = useQuery(connected ? list : undefined, [link, cwd], { onError });
  const run = (work: () => Promise<unknown>) => {
    setProblem(undefined);
    setBusy(true);
    runDetached(
      work()
        .then(() => refetch())
        .finally(() => setBusy(false)),
      onError,
    );
  };
  const commandId = () => crypto.randomUUID();
  const fetch = (of: { source: string } | { name: string }) =>
    run(async () => setOffer(await link.api.plugin.fetch.mutate({ commandId: commandId(), ...of })));
  const approve = (hash: string) =>
    run(async () => {
      await link.api.plugin.approve.mutate({ commandId: commandId(), cwd, hash, use: true });
      setOffer(undefined);
      setSource("");
    });
  const turn = (name: string, on: boolean) => run(() => link.api.plugin.use.mutate({ commandId: commandId(), cwd, name, on }));
  const remove = (name: string) => run(() => link.api.plugin.remove.mutate({ commandId: commandId(), name }));
  return (
    <>
      <header>
        <h1>Plugins</h1>
        <span className="dim">
          Skills, commands, modes, hooks and servers of others. Nothing of a plugin is active before you approve it.
        </span>
      </header>
      {problem === undefined ? undefined : (
        <p className="problem" role="alert">
          {problem}
        </p>
      )}
      <form
        className="plugin-source"
        onSubmit={(event) => {
          event.preventDefault();
          fetch({ source: source.trim() });
        }}
      >
        <input
          className="field"
          aria-label="Source of a plugin"
          placeholder="A folder, a git address, npm:NAME or NAME@MARKETPLACE"
          value={source}
          onChange={(event) => setSource(event.target.value)}
        />
        <button type="submit" className="btn" disabled={isBusy || source.trim() === ""}>
          Show contents
        </button>
      </form>
      {offer ? <PluginOfferCard offer={offer} isBusy={isBusy} onApprove={approve} onClose={() => setOffer(undefined)} /> : undefined}
      {data?.length === 0 ? <p className="dim">There are no plugins.</p> : undefined}
      <ul className="plugins">
        {data?.map((row) => (
          <Plugin
            key={row.name}
            row={row}
            isBusy={isBusy}
            onTurn={(on) => turn(row.name, on)}
            onUpdate={() => fetch({ name: row.name })}
            onRemove={() => remove(row.name)}
          />
        ))}
      </ul>
    </>
  );
}

type PluginProps = { row: PluginRow; isBusy: boolean; onTurn: (on: boolean) => void; onUpdate: () => void; onRemove: () => void };

function Plugin({ row, isBusy, onTurn, onUpdate, onRemove }: PluginProps) {
  const { name, version, description, source, problem, items, notes, use } = row;
  const [isSure, setSure] = useState(false);
  const isOn = use.on && use.by === "user";
  return (
    <li>
      <h2>
        {name} <span className="dim">{version === null ? "" : oneLine(version)}</span>
      </h2>
      <p>{oneLine(description)}</p>
      <p className={problem === null ? "dim" : "problem"}>
        {pluginEnablementText(row)} It comes from {oneLine(source)}.
      </p>
      <p className="status">
        <button
          type="button"
          className="btn small"
          disabled={isBusy}
          aria-label={`${isOn ? "Disable" : "Enable"} ${name}`}
          onClick={() => onTurn(!isOn)}
        >
          {isOn ? "Disable" : "Enable"}
        </button>
        <button type="button" className="btn small" disabled={isBusy} aria-label={`Update ${name}`} onClick={onUpdate}>
          Update
        </button>
        <button
          type="button"
          className="btn small"
          disabled={isBusy}
          aria-label={isSure ? `Remove ${name} for good` : `Remove ${name}`}
          onClick={() => (isSure ? onRemove() : setSure(true))}
        >
          {isSure ? "Remove for good" : "Remove"}
        </button>
      </p>
      <details>
        <summary>Contents</summary>
        <PluginContents items={items} notes={notes} />
      </details>
    </li>
  );
}
