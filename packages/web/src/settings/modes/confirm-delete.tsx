import { escapeInvisible } from "@baton/core/text/sanitize";
import { useApp, useObservableValue } from "../../store/app-context.ts";
import { Dialog } from "../../components/dialog.tsx";
import { fileIn, overridesBuiltIn, usersText } from "./mode-labels.ts";
import type { ListedMode } from "./use-modes.ts";

type Props = { mode: ListedMode; cwd: string; onYes: () => void; onClose: () => void };

/** Asks before a definition is deleted, with its file and the sessions in the mode. */
export function ConfirmDelete({ mode, cwd, onYes, onClose }: Props) {
  const { lists } = useApp();
  const sessions = useObservableValue(lists.sessions) ?? [];
  const back = overridesBuiltIn(mode);
  const users = sessions.filter((row) => row.mode === mode.slug && (mode.source !== "project" || row.workspace === cwd));
  return (
    <Dialog title={back ? `Restore the built-in ${mode.slug}?` : `Delete the mode ${mode.slug}?`} onClose={onClose}>
      <p>
        Its definition is removed from <code>{escapeInvisible(fileIn(cwd, mode.filePath ?? ""))}</code>.{" "}
        {back ? "The built-in mode applies from the next step." : ""}
      </p>
      <p>{usersText(users.map(({ title }) => title))}</p>
      {users.length > 0 && !back ? <p>A running turn keeps the mode until it ends. Then choose another mode there.</p> : undefined}
      <form method="dialog" className="row wrap">
        <button className="btn" onClick={onYes}>
          {back ? "Restore" : "Delete"}
        </button>
        <button className="btn quiet">Cancel</button>
      </form>
    </Dialog>
  );
}
