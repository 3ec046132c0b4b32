import { useId } from "react";
import { useApp, useConnected } from "../store/app-context.ts";
import { Ring } from "../components/icon.tsx";
import type { PlaceStart } from "./use-place-choice.ts";

const CHOICES = [
  { label: "Here", isNew: false },
  { label: "New place", isNew: true },
];

/** Chooses whether a session works in the folder itself or in a new place, which is a git worktree of its own. */
export function PlaceChoiceFields({ start, folder }: { start: PlaceStart; folder: string }) {
  const { tell } = useApp();
  const connected = useConnected();
  const { choice, choose, creating, untrusted } = start;
  const group = useId();
  return (
    <div className="placechoice">
      <div className="segments" role="radiogroup" aria-label="Where to work">
        {CHOICES.map(({ label, isNew }) => (
          <label key={label} className="btn small">
            <input
              type="radio"
              className="vh"
              name={group}
              checked={choice.isNew === isNew}
              disabled={creating}
              onChange={() => choose({ isNew })}
            />
            {label}
          </label>
        ))}
        <span className="dim plain">{choice.isNew ? "A git worktree with a branch of its own." : "Changes appear in this folder."}</span>
      </div>
      {choice.isNew ? (
        <div className="placefields">
          <label>
            Base
            <input
              className="field mono"
              spellCheck={false}
              placeholder="what is checked out"
              title="A branch, a tag, a commit or a pull request such as #123"
              value={choice.base}
              disabled={creating}
              onChange={(event) => choose({ base: event.target.value })}
            />
          </label>
          <label>
            Name (optional)
            <input
              className="field mono"
              spellCheck={false}
              placeholder="fix-login"
              value={choice.name}
              disabled={creating}
              onChange={(event) => choose({ name: event.target.value })}
            />
          </label>
        </div>
      ) : undefined}
      <div role="status" className="plain">
        {creating ? (
          <span className="row">
            <Ring /> Git creates the place …
          </span>
        ) : undefined}
        {untrusted ? (
          <button type="button" className="btn small" disabled={!connected} onClick={() => void start.trust(folder).catch(tell)}>
            Trust this folder
          </button>
        ) : undefined}
      </div>
    </div>
  );
}
