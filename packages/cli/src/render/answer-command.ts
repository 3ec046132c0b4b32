import type { Request } from "@baton/core/protocol/request";

/** The command that answers a request from any terminal, below what could stand in the place of its choice. */
export function answerLines({ id, kind, choices, freeText, fields = {} }: Request): string[] {
  const [first, ...more] = choices.map((choice) => choice.id);
  const others = [...more, ...(freeText && kind === "question" && first !== undefined ? ['--text "..."'] : [])];
  const empty = JSON.stringify(Object.fromEntries(Object.keys(fields).map((name) => [name, "..."])));
  const said = first === undefined ? ['--text "..."'] : [first, ...(kind === "form" ? [`--fields '${empty}'`] : [])];
  return [
    `It waits. Answer it from any terminal${others.length === 0 ? "" : ` (or with ${others.join(", ")})`}:`,
    `  ${["baton answer", id, ...said].join(" ")}`,
  ];
}
