import { userSelectable } from "@baton/core/mode/user-selectable";
import { oneLine } from "@baton/core/text/sanitize";
import { useState } from "react";
import { useApp, useConnected, useObservableValue } from "../../store/app-context.ts";
import { useTrust } from "../../store/folder-context.ts";
import { ErrorNotice } from "../../components/banner.tsx";
import { Icon } from "../../components/icon.tsx";
import { baseName } from "../../components/text/strings.ts";
import type { SettingsTabProps } from "../settings-tab.ts";
import { matchesModeSearch, modeCountsText } from "./mode-labels.ts";
import { importModes } from "./mode-mutations.ts";
import { toDraft, type ModeDraft } from "./mode-draft.ts";
import { FileDiagnostics } from "./file-diagnostics.tsx";
import { modeKey, useModeList } from "./use-modes.ts";
import { ModeCard } from "./mode-card.tsx";
import { ModeForm } from "./mode-form.tsx";
import "./modes.css";

/** The key of a new mode. */
const NEW = "";

/** The modes of a folder with their diagnostics, and a form for each. */
export function ModesTab({ cwd, session }: SettingsTabProps) {
  const { modeList, problem, load } = useModeList(cwd);
  const connected = useConnected();
  const { link, lists, commands, tell } = useApp();
  const active = useObservableValue(lists.sessions)?.find(({ id }) => id === session)?.mode;
  const { trust } = useTrust(cwd, connected);
  const [search, setWanted] = useState("");
  const [chosen, setChosen] = useState<string>();
  const [drafts, setDrafts] = useState<Readonly<Record<string, ModeDraft | undefined>>>({});
  if (!modeList) return problem === undefined ? undefined : <ErrorNotice title="The modes could not be loaded">{problem}</ErrorNotice>;
  const found = modeList.modes.filter((mode) => matchesModeSearch(search, mode));
  const mode = modeList.modes.find((each) => modeKey(each) === chosen);
  const draftIs = (draft: ModeDraft | undefined) => setDrafts((known) => ({ ...known, [chosen ?? NEW]: draft }));
  const focusCard = (key: string) => {
    document.querySelector<HTMLElement>(`[data-mode="${CSS.escape(key)}"]`)?.focus();
  };
  const done = async (key: string | undefined) => {
    await load();
    draftIs(undefined);
    setChosen(key);
    if (key === undefined) focusCard(NEW);
  };
  const imported = async (file: File) => {
    tell(await importModes(link.api, { cwd, scope: "global" }, { name: file.name, text: await file.text() }));
    await load();
  };
  return (
    <>
      <header className="modesbar">
        <h1>Modes</h1>
        <span className="dim">
          {oneLine(baseName(cwd))} · {modeCountsText(modeList.modes)}
        </span>
        <span className="r row">
          <input
            type="search"
            className="field"
            aria-label="Search modes"
            placeholder="Search modes"
            value={search}
            onChange={(event) => setWanted(event.target.value)}
          />
          <label className={`btn importmodes${connected ? "" : " disabled"}`}>
            <Icon name="cloud-upload" small />
            Import
            <input
              type="file"
              className="vh"
              aria-label="Import modes from a file"
              disabled={!connected}
              onChange={({ currentTarget }) => {
                const [file] = currentTarget.files ?? [];
                currentTarget.value = "";
                if (file) void imported(file).catch(tell);
              }}
            />
          </label>
          <button type="button" className="btn" data-mode={NEW} aria-pressed={chosen === NEW} onClick={() => setChosen(NEW)}>
            <Icon name="add" small />
            New mode
          </button>
        </span>
      </header>
      {problem === undefined ? undefined : <ErrorNotice title="The modes could not be reloaded">{problem}</ErrorNotice>}
      <FileDiagnostics modeList={modeList} cwd={cwd} />
      <div className="split">
        <div className="modes">
          {found.map((each) => {
            const key = modeKey(each);
            const draft = drafts[key];
            return (
              <ModeCard
                key={key}
                mode={each}
                cwd={cwd}
                diagnostics={modeList.diagnostics}
                chosen={key === chosen}
                active={each.slug === active && !each.inert}
                unsaved={draft !== undefined && JSON.stringify(draft) !== JSON.stringify(toDraft(each))}
                onChoose={() => setChosen(key)}
                onSwitch={
                  session === undefined || active === undefined || active === each.slug || each.inert || !userSelectable(each) || !connected
                    ? undefined
                    : () => void commands.send(session, { type: "switchMode", mode: each.slug }).catch(tell)
                }
              />
            );
          })}
          {found.length === 0 ? <p className="dim">No mode matches “{oneLine(search)}”.</p> : undefined}
        </div>
        {mode || chosen === NEW ? (
          <ModeForm
            key={chosen}
            cwd={cwd}
            modeList={modeList}
            mode={mode}
            draft={drafts[chosen ?? NEW]}
            trusted={trust === undefined ? undefined : trust === "trusted"}
            onDraft={draftIs}
            onDone={done}
            onClose={() => {
              focusCard(chosen ?? NEW);
              if (chosen === NEW) setChosen(undefined);
            }}
          />
        ) : (
          <NoneChosen />
        )}
      </div>
    </>
  );
}

/** An introduction to modes. */
const NoneChosen = () => (
  <aside className="card soft nonechosen">
    <p>A mode is a role: it defines the prompt of the agent, its tools and their limits. Choose a mode to see and change it.</p>
    <p>
      Your modes are in <code>modes/</code> of the config folder, those of a project in <code>.baton/modes/</code>. Changes apply from the
      next step of a running session.
    </p>
  </aside>
);
