import { escapeInvisible, oneLine } from "@baton/core/text/sanitize";
import { useEffect, useRef, useState } from "react";
import { useApp, useConnected } from "../../store/app-context.ts";
import { readOnlyReason, isFaulty, overridesBuiltIn } from "./mode-labels.ts";
import { copyMode, createMode, deleteMode, restoreMode, updateMode } from "./mode-mutations.ts";
import {
  draftChange,
  toDefinition,
  toDraft,
  emptyDraft,
  withoutEmptyFields,
  suggestSlug,
  type ModeDraft,
  type FieldName,
} from "./mode-draft.ts";
import { ExportMenu } from "./export-menu.tsx";
import { FormHead } from "./mode-form-head.tsx";
import { modeKey, type ModeListResponse, type ListedMode } from "./use-modes.ts";
import { ModeFields } from "./mode-fields.tsx";
import { ScopeChoice } from "./scope-choice.tsx";
import { FormStatus } from "../../components/banner.tsx";
import { ConfirmDelete } from "./confirm-delete.tsx";
import { ToolsOfMode } from "./offered-tools.tsx";
import { useDraftDiagnostics } from "./draft-diagnostics.ts";
import { errorMessage } from "@baton/core/client/rpc-errors";

type Props = {
  cwd: string;
  modeList: ModeListResponse;
  /** Undefined for a new mode. */
  mode: ListedMode | undefined;
  /** Unsaved changes. */
  draft: ModeDraft | undefined;
  trusted: boolean | undefined;
  onDraft: (draft: ModeDraft | undefined) => void;
  /** Called after the mode was saved, copied or deleted, with the key of the remaining mode. */
  onDone: (key: string | undefined) => Promise<void>;
  onClose: () => void;
};

/** The form for one mode, next to the cards. It checks values like a file, and keeps them until they are saved. */
export function ModeForm({ cwd, modeList, mode, draft: begun, trusted, onDraft, onDone, onClose }: Props) {
  const { link } = useApp();
  const connected = useConnected();
  const { problem, busy, act } = useMutation();
  const box = useRef<HTMLFormElement>(null);
  const [touched, setTouched] = useState<ReadonlySet<FieldName>>(new Set());
  const [tried, setTried] = useState(false);
  const [asking, setAsking] = useState(false);
  useEffect(() => bringUp(box.current), []);

  const isNew = mode === undefined;
  const isOverriding = mode?.source === "builtin" && begun !== undefined;
  const fixed = mode !== undefined && !isOverriding && readOnlyReason(mode) !== undefined;
  const before = mode ? toDraft(mode) : emptyDraft;
  const draft = begun ?? before;
  const isMending = mode !== undefined && isFaulty(mode, modeList.diagnostics);
  const change = isMending ? withoutEmptyFields(toDefinition(draft)) : draftChange(before, draft);
  const found = useDraftDiagnostics(cwd, draft, modeList.modes, isNew);
  const diagnostics = fixed ? [] : found;
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  /** A new mode shows errors of a field only after the user has edited it or tried to save. */
  const visible = diagnostics.filter(({ field }) => !isNew || tried || touched.has(field));
  const canSave = isNew || isOverriding || Object.keys(change).length > 0;
  const where = { cwd, scope: draft.scope, slug: draft.slug };

  const edit = (next: ModeDraft, field: FieldName) => {
    setTouched((known) => new Set([...known, field]));
    const follows = isNew && field === "name" && draft.slug === suggestSlug(draft.name);
    onDraft(follows ? { ...next, slug: suggestSlug(next.name) } : next);
  };
  const save = () => {
    setTried(true);
    if (errors.length > 0) return focusField(box.current, errors);
    act(async () => {
      const saved = isNew ? await createMode(link.api, where, toDefinition(draft)) : await updateMode(link.api, where, change);
      await onDone(modeKey(saved));
    });
  };
  const takeAway = (gone: ListedMode) =>
    act(async () => {
      const isBack = overridesBuiltIn(gone);
      await (isBack ? restoreMode : deleteMode)(link.api, { ...where, scope: before.scope });
      await onDone(isBack ? gone.slug : undefined);
    });
  const copy = ({ filePath = "", slug }: ListedMode) =>
    act(async () => {
      await copyMode(link.api, where, filePath);
      await onDone(slug);
    });
  const button = (text: string, action: () => void, className = "btn quiet") => (
    <button type="button" className={className} disabled={!connected || busy} onClick={action}>
      {text}
    </button>
  );

  return (
    <div className="formplace">
      <form
        ref={box}
        tabIndex={-1}
        className="card form"
        aria-label={mode ? `Mode ${oneLine(mode.slug)}` : "New mode"}
        onSubmit={(event) => {
          event.preventDefault();
          if (!fixed && canSave && connected && !busy) save();
        }}
        onKeyDown={(event) => {
          if (event.key === "Escape") onClose();
        }}
      >
        <FormHead {...{ mode, cwd, fixed, onClose }} diagnostics={modeList.diagnostics} />
        {isNew || isOverriding ? (
          <ScopeChoice scope={draft.scope} trusted={trusted} onScope={(scope) => onDraft({ ...draft, scope })} />
        ) : undefined}
        <ModeFields {...{ draft, fixed, isNew }} diagnostics={visible} onDraft={edit} />
        {mode && !mode.inert ? <ToolsOfMode mode={mode} cwd={cwd} /> : undefined}
        {mode?.inert ? undefined : (
          <div className="foot">
            <div role="alert">{problem === undefined ? undefined : <p className="fail-ink">{escapeInvisible(problem)}</p>}</div>
            <div className="row wrap">
              {fixed ? undefined : (
                <button type="submit" className="btn solid" disabled={!connected || busy || !canSave}>
                  Save
                </button>
              )}
              {mode && fixed && mode.source === "builtin" ? button("Override", () => onDraft(before), "btn solid") : undefined}
              {mode && fixed && mode.source !== "builtin" ? button("Make a copy", () => copy(mode), "btn solid") : undefined}
              {begun ? button("Discard", () => onDraft(undefined)) : undefined}
              {mode && mode.source !== "builtin" && !fixed
                ? button(overridesBuiltIn(mode) ? "Restore …" : "Delete …", () => setAsking(true))
                : undefined}
              {mode ? <ExportMenu mode={mode} cwd={cwd} /> : undefined}
              <FormStatus {...{ connected, busy, fixed }} diagnostics={visible} />
            </div>
          </div>
        )}
      </form>
      {asking && mode ? <ConfirmDelete mode={mode} cwd={cwd} onYes={() => takeAway(mode)} onClose={() => setAsking(false)} /> : undefined}
    </div>
  );
}

/** Focuses the form, and scrolls to it if it is below the cards. */
function bringUp(form: HTMLElement | null): void {
  if (!form) return;
  form.focus({ preventScroll: true });
  const { top } = form.getBoundingClientRect();
  if (top < 0 || top > innerHeight / 2) form.scrollIntoView({ block: "start" });
}

/** Focuses the first field with an error. */
function focusField(form: HTMLFormElement | null, errors: readonly { field: FieldName }[]): void {
  const names: ReadonlySet<string> = new Set(errors.map(({ field }) => field));
  const fields = [...(form?.querySelectorAll<HTMLElement>("[data-field]") ?? [])];
  fields.find(({ dataset }) => names.has(dataset["field"] ?? ""))?.focus();
}

/** Runs the actions of the form, one at a time. A failed action leaves the form as it is and shows the reason. */
function useMutation(): { problem: string | undefined; busy: boolean; act: (action: () => Promise<void>) => void } {
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  const act = (action: () => Promise<void>) => {
    setBusy(true);
    setProblem(undefined);
    action()
      .catch((error: unknown) => setProblem(errorMessage(error)))
      .finally(() => setBusy(false));
  };
  return { problem, busy, act };
}
