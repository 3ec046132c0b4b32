import { escapeInvisible } from "@baton/core/text/sanitize";
import { useId, type ReactNode } from "react";
import type { FieldName } from "./draft.ts";
import type { FieldFault } from "./draft-diagnostics.ts";

export type FieldProps = {
  name: FieldName;
  label: string;
  value: string;
  onValue: (value: string) => void;
  /** What is wrong at this field, as far as it is to be told yet. */
  faults: readonly FieldFault[];
  fixed: boolean;
  hint?: ReactNode;
  mono?: boolean;
  /** Lines to begin with; a single line when it is not given. */
  rows?: number;
  placeholder?: string;
  /** Values to choose from; any other may be typed as well. */
  suggestions?: readonly string[];
};

/** A text of a mode with its label, what helps to fill it in, and what is wrong with it. */
export function Field({ name, label, value, onValue, faults, fixed, hint, mono = false, rows, placeholder, suggestions }: FieldProps) {
  const id = useId();
  const shared = {
    className: mono ? "field mono" : "field",
    "data-field": name,
    "aria-describedby": `${id}-hint`,
    "aria-invalid": faults.some(({ severity }) => severity === "error"),
    value,
    placeholder,
    readOnly: fixed,
    spellCheck: !mono,
  };
  return (
    <div className="f">
      <label htmlFor={id}>{label}</label>
      {rows === undefined ? (
        <input {...shared} id={id} list={suggestions && `${id}-list`} onChange={(event) => onValue(event.target.value)} />
      ) : (
        <textarea {...shared} id={id} rows={rows} onChange={(event) => onValue(event.target.value)} />
      )}
      {suggestions && (
        <datalist id={`${id}-list`}>
          {suggestions.map((value) => (
            <option key={value} value={value} />
          ))}
        </datalist>
      )}
      <div id={`${id}-hint`} className="below">
        {hint === undefined ? undefined : <span className="hint">{hint}</span>}
        <FaultsAt faults={faults} />
      </div>
    </div>
  );
}

/** What is wrong at a field, under it. */
export const FaultsAt = ({ faults }: { faults: readonly FieldFault[] }) =>
  faults.map(({ message, fix, severity }, i) => (
    <span key={i} className={severity === "error" ? "hint bad" : "hint"}>
      {escapeInvisible(message)} {fix === undefined ? "" : escapeInvisible(fix)}
    </span>
  ));

type ChoiceProps = Pick<FieldProps, "name" | "label" | "value" | "onValue" | "fixed" | "faults"> & {
  options: readonly { value: string; text: string }[];
};

/** One of a few things; what is written already can be kept, known or not. */
export function Choice({ name, label, value, onValue, fixed, faults, options }: ChoiceProps) {
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
        <FaultsAt faults={faults} />
      </div>
    </div>
  );
}
