import { escapeInvisible, oneLine } from "@baton/core/text/sanitize";
import { Icon } from "../../components/icon.tsx";
import { colorClass } from "../../components/composer/mode-name.tsx";
import { fileIn, readOnlyReason, isFaulty } from "./mode-labels.ts";
import { ModeBadges } from "./mode-card.tsx";
import type { Diagnostic, ListedMode } from "./use-modes.ts";

type Props = { mode: ListedMode | undefined; cwd: string; diagnostics: readonly Diagnostic[]; fixed: boolean; onClose: () => void };

/** The mode, its file, and why it cannot be changed. */
export function FormHead({ mode, cwd, diagnostics, fixed, onClose }: Props) {
  return (
    <>
      <div className="row top">
        <div className="row wrap grow">
          <h2 className={mode ? `mode ${colorClass(mode)}` : undefined}>
            {mode ? <Icon name={mode.icon} /> : undefined}
            {mode ? oneLine(mode.slug) : "New mode"}
          </h2>
          {mode ? <ModeBadges mode={mode} diagnostics={diagnostics} /> : undefined}
        </div>
        <button type="button" className="btn quiet small icon" aria-label="Close the form" onClick={onClose}>
          <Icon name="close" small />
        </button>
      </div>
      {mode?.filePath === undefined ? undefined : (
        <p className="mono dim file">
          {escapeInvisible(fileIn(cwd, mode.filePath))}
          {mode.line === undefined ? "" : `:${mode.line}`}
        </p>
      )}
      {mode && fixed ? <p className="soft">{readOnlyReason(mode)}</p> : undefined}
      {mode && !fixed && isFaulty(mode, diagnostics) ? (
        <p className="soft">Its file has an error. The form shows the last valid version. Fix the file, or save to overwrite it.</p>
      ) : undefined}
    </>
  );
}
