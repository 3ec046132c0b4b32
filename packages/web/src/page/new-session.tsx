import { nextModel } from "@baton/core/mode/model-preference";
import { useEffect, useRef, useState } from "react";
import { useApp, useObservableValue } from "../store/app-context.ts";
import { FolderContext } from "../store/folder-context.ts";
import { BackButton } from "../components/back-button.tsx";
import { Banner, Notice } from "../components/banner.tsx";
import { ConfigErrors } from "../components/config-errors.tsx";
import { escapeInvisible, oneLine } from "@baton/core/text/sanitize";
import { useCapabilities } from "../components/details/capabilities.tsx";
import { EmptyState } from "../components/conversation/empty-state.tsx";
import { PromptBox } from "../components/composer/prompt-box.tsx";
import type { SentPrompt } from "../components/composer/use-sending.ts";

const NO_GRANTS: readonly never[] = [];

/** The start of a session: folder, mode and first prompt. Without a model it shows how to configure one. */
export function NewSession({ cwd }: { cwd: string | undefined }) {
  const { lists, commands, route, tell } = useApp();
  const sessions = useObservableValue(lists.sessions);
  const resolved = useObservableValue(lists.model);
  const folders = [...new Set((sessions ?? []).toSorted((a, b) => b.updatedAt - a.updatedAt).map(({ workspace }) => workspace))];
  const [typed, setTyped] = useState<string>();
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
    if (folder.trim() === "") throw new Error("Give the absolute path of the folder to work in.");
    const id = await commands.start(folder.trim(), picked, model);
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
        <Banner seq={undefined} />
        <div className="scroll" tabIndex={0} role="region" aria-label="New session">
          <Notice />
          <div className="turns centred">
            <ConfigErrors />
            {resolved && resolved.problem !== null && model === undefined ? <NoModel problem={resolved.problem} /> : undefined}
            <EmptyState mode={mode} may={may}>
              <label className="folderfield">
                <span>Folder to work in</span>
                <input
                  ref={folderField}
                  className="field mono"
                  list="folders"
                  spellCheck={false}
                  placeholder="/absolute/path"
                  value={folder}
                  onChange={(event) => setTyped(event.target.value)}
                />
                <datalist id="folders">
                  {folders.map((each) => (
                    <option key={each} value={each} />
                  ))}
                </datalist>
              </label>
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

/** Shows how to configure a model. */
function NoModel({ problem }: { problem: string }) {
  const { lists, tell } = useApp();
  const status = useObservableValue(lists.status);
  return (
    <section className="nothing-yet" aria-label="Choose a model">
      <h2>Choose a model</h2>
      <p>{oneLine(problem)}</p>
      <ol className="steps">
        <li>
          <span>
            Name one below, at <b className="strong">no model</b>: <code>provider/model</code>. Keys in the environment count.
          </span>
        </li>
        <li>
          <span>
            To set it for all sessions, add <code>"model": "provider/model"</code> to <code>config.jsonc</code>
            {status ? (
              <>
                {" "}
                in <code>{escapeInvisible(status.config)}</code>
              </>
            ) : undefined}
          </span>
        </li>
        <li>
          <span>
            <code>baton doctor</code> shows what was found. <code>baton demo</code> runs a demo without a model.
          </span>
        </li>
      </ol>
      <p>
        <button type="button" className="btn" onClick={() => void lists.refresh().catch(tell)}>
          Check again
        </button>
      </p>
    </section>
  );
}
