import { oneLine } from "@baton/core/text/sanitize";
import { useEffect, useId, useRef, useState, type KeyboardEvent } from "react";
import { useApp, useObservableValue } from "../store/app-context.ts";
import { matchPaletteActions, type PaletteAction } from "../store/palette-actions.ts";
import { goToNextRequest } from "../page/go-to-next-request.ts";
import { baseName } from "./text/strings.ts";
import { Icon } from "./icon.tsx";

const MAX_SHOWN = 60;

/** Every action by name: those of the page, those of the open session, and going to a session. */
export function Palette({ onClose }: { onClose: () => void }) {
  const app = useApp();
  const box = useRef<HTMLDialogElement>(null);
  const [typed, setTyped] = useState("");
  const [chosen, setChosen] = useState(0);
  const id = useId();
  useEffect(() => {
    box.current?.showModal();
  }, []);
  const ofSession = useObservableValue(app.sessionActions);
  const found = matchPaletteActions([...(ofSession?.() ?? []), ...pageActions(app), ...sessionActions(app)], typed).slice(0, MAX_SHOWN);
  const run = (action: PaletteAction | undefined) => {
    if (!action) return;
    box.current?.close();
    void Promise.resolve(action.run()).catch(app.tell);
  };
  const key = (event: KeyboardEvent) => {
    const by = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (by !== 0) setChosen((at) => (at + by + found.length) % Math.max(1, found.length));
    else if (event.key === "Enter") run(found[chosen]);
    else return;
    event.preventDefault();
  };
  useEffect(() => {
    document.getElementById(`${id}-${chosen}`)?.scrollIntoView({ block: "nearest" });
  }, [id, chosen]);
  return (
    <dialog ref={box} className="dialog palette" aria-label="Commands" onClose={onClose}>
      <input
        className="field"
        role="combobox"
        aria-label="Command"
        aria-expanded
        aria-controls={id}
        aria-activedescendant={found.length === 0 ? undefined : `${id}-${chosen}`}
        placeholder="Type a command or the name of a session"
        spellCheck={false}
        autoFocus
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value);
          setChosen(0);
        }}
        onKeyDown={key}
      />
      <ul id={id} role="listbox" aria-label="Commands">
        {found.map((action, i) => (
          <li
            key={`${action.label} ${i}`}
            id={`${id}-${i}`}
            role="option"
            aria-selected={i === chosen}
            className="item"
            onClick={() => run(action)}
          >
            <Icon name={action.icon} />
            <span className="cut">{action.label}</span>
            <span className="end cut">{action.hint}</span>
          </li>
        ))}
      </ul>
      {found.length === 0 ? (
        <p className="nothing" role="status">
          Nothing has this name.
        </p>
      ) : undefined}
    </dialog>
  );
}

function pageActions(app: ReturnType<typeof useApp>): PaletteAction[] {
  const { route, notify, appearance } = app;
  const settings = (part: string, label: string): PaletteAction => ({
    icon: "settings-gear",
    label,
    hint: "settings",
    run: () => route.go({ page: "settings", part }),
  });
  return [
    { icon: "add", label: "New session", hint: "N", run: () => route.go({ page: "new" }) },
    { icon: "inbox", label: "Next request", hint: "Shift+J", run: () => goToNextRequest(app) },
    { icon: "project", label: "Board", hint: "G B", run: () => route.go({ page: "board" }) },
    settings("general", "General settings"),
    settings("modes", "Modes"),
    settings("permissions", "Permissions and rules"),
    settings("toolsets", "MCP servers and toolsets"),
    settings("usage", "Usage"),
    ...(appearance
      ? (["light", "dark", "system"] as const).map((theme): PaletteAction => ({
          icon: "color-mode",
          label: `Theme: ${theme}`,
          hint: "appearance",
          run: () => appearance.set({ theme }),
        }))
      : []),
    ...(notify.state.get() === "unable"
      ? []
      : [{ icon: "bell", label: notify.state.get() === "on" ? "Turn notifications off" : "Turn notifications on", run: notify.toggle }]),
  ];
}

function sessionActions({ lists, route }: ReturnType<typeof useApp>): PaletteAction[] {
  return (lists.sessions.get() ?? []).map(({ id, title, workspace }) => ({
    icon: "comment-discussion",
    label: oneLine(title) || "(no prompt yet)",
    hint: oneLine(baseName(workspace)),
    run: () => route.go({ page: "session", id }),
  }));
}
