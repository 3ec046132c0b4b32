import { nextModel } from "@baton/core/mode/next-step-model";
import { Suspense, useEffect, useRef, useState } from "react";
import { useApp, useObservableValue } from "../store/app-context.ts";
import { recentFolders } from "../store/data/place-folders.ts";
import { FolderContext } from "../store/folder-context.ts";
import { BackButton } from "../components/back-button.tsx";
import { Banner, NoticeBanner } from "../components/banner.tsx";
import { ConfigErrors } from "../components/config-errors.tsx";
import { oneLine } from "@baton/core/text/sanitize";
import { Icon } from "../components/icon.tsx";
import { baseName } from "../components/text/strings.ts";
import { useCapabilities } from "../components/details/mode-capabilities.tsx";
import { EmptyState } from "../components/conversation/empty-state.tsx";
import { PromptBox } from "../components/composer/prompt-box.tsx";
import type { SentPrompt } from "../components/composer/use-send-prompt.ts";
import { SuggestInput } from "../components/suggest-input.tsx";
import { PlaceChoiceFields } from "../places/place-choice.tsx";
import { startInPlaces } from "../places/start-versions.ts";
import { usePlaceChoice } from "../places/use-place-choice.ts";
import { lazyComponent } from "../components/lazy-component.tsx";

/** Rarely used, so they are not part of the first load. */
const FirstStart = lazyComponent(async () => (await import("./first-start.tsx")).FirstStart);
const FolderDialog = lazyComponent(async () => (await import("../components/folder-dialog.tsx")).FolderDialog);

/** The folders of earlier sessions that are offered as buttons. */
const MAX_RECENT = 4;

const NO_GRANTS: readonly never[] = [];

/** The start of a session: folder, mode and first prompt. Without a model it shows how to configure one. */
export function NewSession({ cwd }: { cwd: string | undefined }) {
  const { lists, commands, route, tell } = useApp();
  const sessions = useObservableValue(lists.sessions);
  const resolved = useObservableValue(lists.model);
  const places = useObservableValue(lists.places);
  const folders = recentFolders(sessions ?? [], places);
  const place = usePlaceChoice();
  const [typed, setTyped] = useState<string>();
  const [browsing, setBrowsing] = useState(false);
  const folder = typed ?? cwd ?? folders[0] ?? "";
  /** A folder that is still being typed has no modes of its own. */
  const known = folder === cwd || folders.includes(folder) ? folder : "";
  const [picked, setMode] = useState<string>();
  const status = useObservableValue(lists.status);
  const mode = picked ?? status?.defaultMode ?? "code";
  const [model, setModel] = useState<string>();
  const modes = useObservableValue(lists.modesIn(known));
  const may = useCapabilities(mode, folder, NO_GRANTS);
  const box = useRef<HTMLTextAreaElement>(null);
  const folderField = useRef<HTMLInputElement>(null);
  const region = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!matchMedia("(pointer: coarse)").matches) box.current?.focus();
  }, []);
  /** The choice takes effect at once, because the user may send a prompt before the daemon has checked the model. */
  const choose = (id: string) => {
    setModel(id);
    void lists.resolve(id).then((problem) => {
      if (problem === null) return;
      setModel((now) => (now === id ? model : now));
      tell(problem);
    }, tell);
  };
  const begin = async (prompt: SentPrompt) => {
    if (folder.trim() === "") throw new Error("Choose the folder to work in first.");
    if (place.choice.kind === "versions") {
      const places = await place.versionsFor(folder.trim(), model);
      for (const problem of await startInPlaces(commands, places, picked, prompt)) tell(problem);
      route.go({ page: "versions", group: places.group });
      return;
    }
    const id = await commands.start(await place.workspaceFor(folder.trim()), picked, model);
    await commands.prompt(id, prompt, "queue");
    route.go({ page: "session", id });
  };
  const chosen = nextModel(
    { model },
    modes.find(({ slug }) => slug === mode),
    resolved?.id ?? undefined,
  );
  return (
    <FolderContext value={known}>
      <main className="main">
        <header className="bar">
          <BackButton />
          <h1>New session</h1>
        </header>
        <Banner />
        <div className="scroll" ref={region} tabIndex={0} role="region" aria-label="New session">
          <NoticeBanner />
          <div className="turns centred">
            <ConfigErrors />
            {resolved && resolved.problem !== null && model === undefined ? (
              <Suspense>
                <FirstStart problem={resolved.problem} />
              </Suspense>
            ) : undefined}
            <EmptyState mode={mode} may={may}>
              <div className="folderfield">
                <label htmlFor="folder">Folder to work in</label>
                <div className="row">
                  <SuggestInput
                    id="folder"
                    ref={folderField}
                    className="field mono"
                    suggestions={folders}
                    placeholder="~/project"
                    value={folder}
                    onChange={(event) => setTyped(event.target.value)}
                    onKeyDown={({ key }) => {
                      if (key === "Escape") region.current?.focus(); // where keys are shortcuts
                    }}
                  />
                  <button type="button" className="btn" onClick={() => setBrowsing(true)}>
                    Browse …
                  </button>
                </div>
                {folders.length < 2 ? undefined : (
                  <div className="row wrap recent" role="group" aria-label="Recent folders">
                    {folders.slice(0, MAX_RECENT).map((each) => (
                      <button
                        key={each}
                        type="button"
                        className="btn quiet small"
                        title={each}
                        aria-pressed={each === folder}
                        onClick={() => setTyped(each)}
                      >
                        <Icon name="folder" small />
                        {oneLine(baseName(each))}
                      </button>
                    ))}
                  </div>
                )}
                {folder.trim() === "" ? undefined : <PlaceChoiceFields start={place} folder={folder.trim()} model={chosen} />}
                <Suspense>
                  {browsing ? (
                    <FolderDialog
                      start={folder.trim() === "" ? undefined : folder.trim()}
                      onChoose={setTyped}
                      onClose={() => setBrowsing(false)}
                    />
                  ) : undefined}
                </Suspense>
              </div>
            </EmptyState>
          </div>
          <div className="dock">
            <PromptBox
              draftKey="new"
              cwd={folder === "" ? undefined : folder}
              mode={mode}
              model={chosen}
              busy={false}
              box={box}
              commands={[]}
              placeholder="Say what you want done"
              onSend={begin}
              onMode={setMode}
              onEscape={() => folderField.current?.focus()}
              onModel={choose}
            />
          </div>
        </div>
      </main>
    </FolderContext>
  );
}
