/** A table with one row for each list of cells. */
export function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(" | ")} |`;
  return [line(heads), line(heads.map(() => "---")), ...rows.map(line)].join("\n");
}

/** A text in one cell: on one line, with pipes that do not end the cell. */
const cell = (text: string): string => text.replaceAll(/\s*\n\s*/g, " ").replaceAll("|", "\\|");

/** A text as code. A backtick in it needs a longer fence. */
export const code = (text: string): string => (text.includes("`") ? `\`\` ${text} \`\`` : `\`${text}\``);

export const codes = (names: readonly string[]): string => names.map(code).join(", ");

/** A text without markup, so that `*`, `_` and `<` in it are shown. */
export const escaped = (text: string): string => text.replaceAll(/[*_<`]/g, "\\$&");

/** The text with a capital letter at its start and a full stop at its end. */
export const sentence = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1).replace(/[.]?$/, ".")}`;

export const block = (lines: readonly string[], language = ""): string => ["```" + language, ...lines, "```"].join("\n");
