import type { Scope } from "./draft.ts";

type Props = { scope: Scope; trusted: boolean | undefined; onScope: (scope: Scope) => void };

/** Whose mode it becomes: the person's, everywhere, or this project's, for all who work in it. */
export const ScopeChoice = ({ scope, trusted, onScope }: Props) => (
  <fieldset className="f groups">
    <legend>Where it counts</legend>
    <label>
      <input type="radio" name="scope" checked={scope === "global"} onChange={() => onScope("global")} />
      <span>yours</span>
      <span className="dim">In every folder you work in.</span>
    </label>
    <label>
      <input type="radio" name="scope" checked={scope === "project"} disabled={trusted !== true} onChange={() => onScope("project")} />
      <span>project</span>
      <span className="dim">
        In <code>.baton/modes</code> of this folder, for all who work in it.
      </span>
    </label>
    {trusted === false ? (
      <span className="hint">
        This folder is not trusted, so its modes cannot be written. <code>baton trust</code> trusts it.
      </span>
    ) : undefined}
  </fieldset>
);
