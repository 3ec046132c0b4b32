import { useId } from "react";
import { useApp, useObservableValue } from "../../store/app-context.ts";
import { CONTRASTS, EDITORS, THEMES, type Appearance } from "../../store/appearance.ts";

const THEME_LABELS = { system: "As the system", light: "Light", dark: "Dark" };
const CONTRAST_LABELS = { system: "As the system", more: "High" };

const EDITOR_LABELS: Record<(typeof EDITORS)[number], string> = {
  vscode: "VS Code",
  "vscode-insiders": "VS Code Insiders",
  vscodium: "VSCodium",
  cursor: "Cursor",
  windsurf: "Windsurf",
  none: "None",
};

/** The settings of this browser: theme, contrast, editor and notifications. */
export function BrowserSettings({ appearance }: { appearance: Appearance }) {
  const { notify, tell } = useApp();
  const { theme, contrast, editor } = useObservableValue(appearance.value);
  const notifications = useObservableValue(notify.state);
  const ids = [useId(), useId(), useId(), useId()] as const;
  return (
    <>
      <div className="setting">
        <label htmlFor={ids[0]}>Theme</label>
        <select
          id={ids[0]}
          className="field"
          value={theme}
          onChange={({ target }) => appearance.set({ theme: THEMES.find((each) => each === target.value) ?? "system" })}
        >
          {THEMES.map((each) => (
            <option key={each} value={each}>
              {THEME_LABELS[each]}
            </option>
          ))}
        </select>
      </div>
      <div className="setting">
        <label htmlFor={ids[1]}>Contrast</label>
        <select
          id={ids[1]}
          className="field"
          value={contrast}
          onChange={({ target }) => appearance.set({ contrast: CONTRASTS.find((each) => each === target.value) ?? "system" })}
        >
          {CONTRASTS.map((each) => (
            <option key={each} value={each}>
              {CONTRAST_LABELS[each]}
            </option>
          ))}
        </select>
      </div>
      <div className="setting">
        <label htmlFor={ids[3]}>Editor for files</label>
        <select
          id={ids[3]}
          className="field"
          value={editor}
          onChange={({ target }) => appearance.set({ editor: EDITORS.find((each) => each === target.value) ?? "none" })}
        >
          {EDITORS.map((each) => (
            <option key={each} value={each}>
              {EDITOR_LABELS[each]}
            </option>
          ))}
        </select>
        <p className="hint">The review links to changed files there. Choose None if the files are on another machine.</p>
      </div>
      <div className="setting">
        <label htmlFor={ids[2]}>Notifications</label>
        <select
          id={ids[2]}
          className="field"
          disabled={notifications === "unable"}
          value={notifications === "on" ? "on" : "off"}
          onChange={() => void notify.toggle().catch(tell)}
        >
          <option value="off">Off</option>
          <option value="on">On, while this tab is hidden</option>
        </select>
        <p className="hint">
          {notifications === "unable"
            ? "This browser does not allow notifications for this page."
            : "Of new requests. They name the session, not the command."}
        </p>
      </div>
    </>
  );
}
