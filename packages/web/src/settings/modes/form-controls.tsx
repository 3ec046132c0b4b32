import { escapeInvisible } from "@baton/core/text/sanitize";
import { useId, type ReactNode } from "react";
import { ModelInput } from "../../components/suggest-input.tsx";
import type { FieldName } from "./mode-draft.ts";
import type { FieldDiagnostic } from "./draft-diagnostics.ts";

type FieldProps = {
  name: FieldName;
  label: string;
  value: string;
  onValue: (value: string) => void;
  /** The diagnostics to show at this field. */
  diagnostics: readonly FieldDiagnostic[];
  fixed: boolean;
  hint?: ReactNode;
  mono?: boolean;
  /** The initial number of lines; a single-line field if undefined. */
  rows?: number;
  placeholder?: string;
  /** Suggests the models that the daemon knows. */
  isModel?: boolean;
};

/** A text field with label, hint and diagnostics. */
export function TextField({
  name,
  label,
  value,
  onValue,
  diagnostics,
  fixed,
  hint,
  mono = false,
  rows,
  placeholder,
  isModel = false,
}: FieldProps) {
  const id = useId();
  const shared = {
    className: mono ? "field mono" : "field",
    "data-field": name,
    "aria-describedby": `${id}-hint`,
    "aria-invalid": diagnostics.some(({ severity }) => severity === "error"),
    value,
    placeholder,
    readOnly: fixed,
    spellCheck: !mono,
  };
  return (
    <div className="f">
      <label htmlFor={id}>{label}</label>
      {rows !== undefined ? (
        <textarea {...shared} id={id} rows={rows} onChange={(event) => onValue(event.target.value)} />
      ) : isModel ? (
        <ModelInput {...shared} id={id} onChange={(event) => onValue(event.target.value)} />
      ) : (
        <input {...shared} id={id} onChange={(event) => onValue(event.target.value)} />
      )}
      <div id={`${id}-hint`} className="below">
        {hint === undefined ? undefined : <span className="hint">{hint}</span>}
        <FieldDiagnostics diagnostics={diagnostics} />
      </div>
    </div>
  );
}

/** The diagnostics of a field. */
export const FieldDiagnostics = ({ diagnostics }: { diagnostics: readonly FieldDiagnostic[] }) =>
  diagnostics.map(({ message, fix, severity }, i) => (
    <span key={i} className={severity === "error" ? "hint bad" : "hint"}>
      {escapeInvisible(message)} {fix === undefined ? "" : escapeInvisible(fix)}
    </span>
  ));

type ChoiceProps = Pick<FieldProps, "name" | "label" | "value" | "onValue" | "fixed" | "diagnostics"> & {
  options: readonly { value: string; text: string }[];
};

/** A select field. It keeps a current value that is not among the options. */
export function Choice({ name, label, value, onValue, fixed, diagnostics, options }: ChoiceProps) {
  const id = useId();
  const known = options.some((option) => option.value === value);
  return (
    <div className="f">
      <label htmlFor={id}>{label}</label>
      <select
        id={id}
        className="field"
        data-field={name}
        value={value}
        disabled={fixed}
        aria-describedby={`${id}-hint`}
        onChange={(event) => onValue(event.target.value)}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.text}
          </option>
        ))}
        {known ? undefined : <option value={value}>{escapeInvisible(value)}</option>}
      </select>
      <div id={`${id}-hint`} className="below">
        <FieldDiagnostics diagnostics={diagnostics} />
      </div>
    </div>
  );
}
