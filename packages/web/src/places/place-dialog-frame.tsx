import { errorMessage } from "@baton/core/client/rpc-errors";
import { sanitize } from "@baton/core/text/sanitize";
import { useState, type ReactNode } from "react";
import { Dialog } from "../components/dialog.tsx";
import { WorkingIcon } from "../components/icon.tsx";
import { TextWithCode } from "../components/text/text-with-code.tsx";
import { useConnected } from "../store/app-context.ts";

/** The work that a dialog does for the user. `fail` shows a problem. */
type DialogWork = {
  busy: boolean;
  problem: string | undefined;
  fail: (problem: unknown) => void;
  during: (work: () => Promise<void>) => Promise<void>;
};

export function useDialogWork(): DialogWork {
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  const fail = (cause: unknown) => setProblem(typeof cause === "string" ? cause : errorMessage(cause));
  const during = async (work: () => Promise<void>) => {
    setBusy(true);
    setProblem(undefined);
    await work().catch(fail);
    setBusy(false);
  };
  return { busy, problem, fail, during };
}

type Props = {
  title: string;
  /** The current step of Baton, if there is one. */
  progress: string | undefined;
  /** The message for the user when it is done. */
  outcome?: string | undefined;
  problem: string | undefined;
  action: { label: string; disabled: boolean; run: () => void } | undefined;
  closeLabel: string;
  onClose: () => void;
  children: ReactNode;
  /** The content below the outcome. */
  details?: ReactNode;
};

/** A dialog about a place: its text, the progress, a problem, one action and a way out. */
export function PlaceDialogFrame({ title, progress, outcome, problem, action, closeLabel, onClose, children, details }: Props) {
  const connected = useConnected();
  return (
    <Dialog title={title} onClose={onClose}>
      {children}
      <div role="status">
        {progress === undefined ? undefined : (
          <span className="row">
            <WorkingIcon /> {progress}
          </span>
        )}
        {outcome}
      </div>
      {problem === undefined ? undefined : (
        <p role="alert" className="fail-ink">
          <TextWithCode text={sanitize(problem)} />
        </p>
      )}
      {details}
      <p className="row">
        {action ? (
          <button type="button" className="btn solid" disabled={!connected || action.disabled} onClick={action.run}>
            {action.label}
          </button>
        ) : undefined}
        <button type="button" className="btn quiet" onClick={onClose}>
          {closeLabel}
        </button>
      </p>
    </Dialog>
  );
}
