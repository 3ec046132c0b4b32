import { useId } from "react";
import { useApp, useConnected } from "../store/app-context.ts";
import { WorkingIcon } from "../components/icon.tsx";
import type { PlaceChoice, PlaceChoiceState } from "./use-place-choice.ts";
import { VersionModels } from "./version-models.tsx";

const CHOICES: readonly { kind: PlaceChoice["kind"]; label: string; about: string }[] = [
  { kind: "here", label: "Here", about: "Changes appear in this folder." },
  { kind: "place", label: "New place", about: "A git worktree with a branch of its own." },
  { kind: "versions", label: "Versions", about: "The same prompt in several new places, side by side." },
];

type Props = {
  start: PlaceChoiceState;
  folder: string;
  /** The model of the prompt box. */
  model: string | undefined;
};

/** Chooses whether a session works in the folder itself or in a new place, or whether several versions do. */
export function PlaceChoiceFields({ start, folder, model }: Props) {
  const { tell } = useApp();
  const connected = useConnected();
  const { choice, choose, creating, untrusted } = start;
  const group = useId();
  return (
    <div className="placechoice">
      <div className="segments" role="radiogroup" aria-label="Where to work">
        {CHOICES.map(({ kind, label }) => (
          <label key={kind} className="btn small">
            <input
              type="radio"
              className="vh"
              name={group}
              checked={choice.kind === kind}
              disabled={creating}
              onChange={() => choose({ kind })}
            />
            {label}
          </label>
        ))}
        <span className="dim plain">{CHOICES.find(({ kind }) => kind === choice.kind)?.about}</span>
      </div>
      {choice.kind === "versions" ? (
        <VersionModels models={choice.models} onChange={(models) => choose({ models })} disabled={creating} defaultModel={model} />
      ) : undefined}
      {choice.kind === "here" ? undefined : (
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
      )}
      <div role="status" className="plain">
        {creating ? (
          <span className="row">
            <WorkingIcon /> {choice.kind === "versions" ? "Git creates the places …" : "Git creates the place …"}
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
