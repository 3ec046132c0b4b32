import type { Scope } from "./mode-draft.ts";

type Props = { scope: Scope; trusted: boolean | undefined; onScope: (scope: Scope) => void };

/** Lets the user choose the scope of a mode: all folders, or this project. */
export const ScopeChoice = ({ scope, trusted, onScope }: Props) => (
  <fieldset className="f groups">
    <legend>Scope</legend>
    <label>
      <input type="radio" name="scope" checked={scope === "global"} onChange={() => onScope("global")} />
      <span>yours</span>
      <span className="dim">In every folder you work in.</span>
    </label>
    <label>
      <input type="radio" name="scope" checked={scope === "project"} disabled={trusted !== true} onChange={() => onScope("project")} />
      <span>project</span>
      <span className="dim">
        For everyone who works in this folder, in <code>.baton/modes</code>.
      </span>
    </label>
    {trusted === false ? (
      <span className="hint">
        This folder is not trusted, so its modes cannot be saved. <code>baton trust</code> trusts it.
      </span>
    ) : undefined}
  </fieldset>
);
