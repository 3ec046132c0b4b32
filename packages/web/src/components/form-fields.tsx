import type { Request } from "@baton/core/protocol/request";
import { formFields, type FormField } from "@baton/core/session/form-fields";
import { sanitize } from "@baton/core/text/sanitize";
import { useId } from "react";
import type { AnswerDraft } from "../store/session/drafts.ts";

type Props = { request: Pick<Request, "fields">; draft: AnswerDraft; onDraft: (draft: AnswerDraft) => void };

/** The fields of a server's form. The draft keeps the typed values until they are sent. */
export function FormFields({ request, draft, onDraft }: Props) {
  const typed = draft.fields ?? {};
  return (
    <div className="options">
      {formFields(request.fields ?? {}).map((field) => (
        <FormField
          key={field.name}
          field={field}
          value={typed[field.name] ?? field.initially}
          onValue={(value) => onDraft({ ...draft, fields: { ...typed, [field.name]: value } })}
        />
      ))}
    </div>
  );
}

type FieldProps = { field: FormField; value: string; onValue: (value: string) => void };

function FormField({ field, value, onValue }: FieldProps) {
  const id = useId();
  const { title, description, required } = field;
  return (
    <div>
      <label htmlFor={id}>
        {sanitize(title)}
        {required ? " (needed)" : ""}
        {description === "" ? undefined : <span className="about"> {sanitize(description)}</span>}
      </label>
      <FieldInput {...{ field, value, onValue, id }} />
    </div>
  );
}

function FieldInput({ field: { type, choices, required }, value, onValue, id }: FieldProps & { id: string }) {
  const options = choices ?? (type === "boolean" ? ["yes", "no"] : undefined);
  if (options && type !== "list")
    return (
      <select
        id={id}
        className="field"
        value={value === "true" ? "yes" : value === "false" ? "no" : value}
        onChange={(event) => onValue(event.target.value)}
      >
        <option value="">{required ? "Choose…" : "—"}</option>
        {options.map((option) => (
          <option key={option} value={option}>
            {sanitize(option)}
          </option>
        ))}
      </select>
    );
  return (
    <input
      id={id}
      className="field"
      inputMode={type === "number" ? "decimal" : "text"}
      placeholder={options ? `${options.join(", ")} (separate several with commas)` : type === "list" ? "separate several with commas" : ""}
      value={value}
      onChange={(event) => onValue(event.target.value)}
    />
  );
}
