import { useId, type ReactNode } from "react";
import { useApp, useObservableValue } from "../../store/app-context.ts";
import type { Appearance } from "../../store/appearance.ts";

const THEME_LABELS = { system: "As the system", light: "Light", dark: "Dark" };
const CONTRAST_LABELS = { system: "As the system", more: "High" };

const EDITOR_LABELS = {
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
  const id = useId();
  return (
    <>
      <Choice label="Theme" options={THEME_LABELS} value={theme} onChange={(next) => appearance.set({ theme: next })} />
      <Choice label="Contrast" options={CONTRAST_LABELS} value={contrast} onChange={(next) => appearance.set({ contrast: next })} />
      <Choice label="Editor for files" options={EDITOR_LABELS} value={editor} onChange={(next) => appearance.set({ editor: next })}>
        <p className="hint">The review links to changed files there. Choose None if the files are on another machine.</p>
      </Choice>
      <div className="setting">
        <label htmlFor={id}>Notifications</label>
        <select
          id={id}
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

type ChoiceProps<Value extends string> = {
  label: string;
  /** The name of each value. */
  options: Readonly<Record<Value, string>>;
  value: Value;
  onChange: (value: Value) => void;
  children?: ReactNode;
};

function Choice<Value extends string>({ label, options, value, onChange, children }: ChoiceProps<Value>) {
  const id = useId();
  return (
    <div className="setting">
      <label htmlFor={id}>{label}</label>
      <select id={id} className="field" value={value} onChange={({ target }) => onChange(target.value as Value)}>
        {Object.entries<string>(options).map(([each, name]) => (
          <option key={each} value={each}>
            {name}
          </option>
        ))}
      </select>
      {children}
    </div>
  );
}
