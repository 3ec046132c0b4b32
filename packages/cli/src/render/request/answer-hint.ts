import { escapeInvisible, oneLine } from "@baton/core/text/sanitize";
import { formFields } from "@baton/core/session/form-fields";
import type { Request } from "@baton/core/protocol/request";

/** The command that answers a request from any terminal, after the ids of its choices. */
export function answerLines({ id, kind, choices, freeText, fields = {} }: Request): string[] {
  const [first, ...more] = choices.map((choice) => choice.id);
  const others = [...more, ...(freeText && kind === "question" && first !== undefined ? ['--text "..."'] : [])];
  const empty = quoted(JSON.stringify(Object.fromEntries(formFields(fields).map(({ name }) => [escapeInvisible(name), "..."]))));
  const args = first === undefined ? ['--text "..."'] : [first, ...(kind === "form" ? [`--fields ${empty}`] : [])];
  return [
    ...(kind === "question" ? choices.map((choice) => `  ${choice.id}  ${oneLine(escapeInvisible(choice.label))}`) : []),
    `The request stays open. Answer it from any terminal${others.length === 0 ? "" : ` (or with ${others.join(", ")})`}:`,
    `  ${["baton answer", id, ...args].join(" ")}`,
  ];
}

/** Quotes a word for the shell, because servers choose the names of fields. */
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
