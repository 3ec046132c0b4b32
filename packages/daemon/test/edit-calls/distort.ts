/** Changes of a text that models and editors make by mistake. Each keeps the meaning. */

export const mapLines = (text: string, change: (line: string, i: number) => string): string => text.split("\n").map(change).join("\n");

const isBlank = (line: string): boolean => line.trim() === "";
const indentOf = (line: string): string => /^[ \t]*/.exec(line)?.[0] ?? "";

export const withTrailingBlanks = (text: string): string => mapLines(text, (line) => (isBlank(line) ? line : `${line}  `));

export const withReturns = (text: string): string => text.replaceAll("\n", "\r\n");

/** The indentation that all lines share. */
export function sharedIndent(text: string): string {
  const indents = text
    .split("\n")
    .filter((line) => !isBlank(line))
    .map(indentOf);
  return indents.toSorted((a, b) => a.length - b.length)[0] ?? "";
}

export const indentedBy = (text: string, more: string): string => mapLines(text, (line) => (isBlank(line) ? line : more + line));

export const dedentedBy = (text: string, less: string): string => mapLines(text, (line) => line.slice(less.length));

/** Replaces each `from` at the start of a line with `to`. */
export const withIndentUnit = (text: string, from: string, to: string): string =>
  mapLines(text, (line) => {
    const indent = indentOf(line);
    return to.repeat(indent.length / from.length) + line.slice(indent.length);
  });

/** One level of indentation in a sample: a tab, or two or four spaces. */
export function unitOf(text: string): string {
  const indents = text
    .split("\n")
    .map(indentOf)
    .filter((indent) => indent !== "");
  if (indents.some((indent) => indent.startsWith("\t"))) return "\t";
  return indents.every((indent) => indent.length % 4 === 0) ? "    " : "  ";
}

/** Line numbers as `cat -n` or the read tools of agents show them. */
export const withNumbers = (text: string, first: number, show: (number: number) => string): string =>
  mapLines(text, (line, i) => show(first + i) + line);

export const escapedTwice = (text: string): string => JSON.stringify(text).slice(1, -1);

export const withEscapedQuotes = (text: string): string => text.replaceAll('"', '\\"');

/** Curly quotes and a long dash, as text editors insert them. */
export function withTypography(text: string): string {
  let isOpen = false;
  return text
    .replaceAll('"', () => {
      isOpen = !isOpen;
      return isOpen ? "\u201c" : "\u201d";
    })
    .replaceAll("'", "\u2019")
    .replaceAll(" - ", " \u2013 ");
}

/** Non-breaking spaces inside lines. */
export const withHardBlanks = (text: string): string =>
  mapLines(text, (line) => indentOf(line) + line.slice(indentOf(line).length).replaceAll(" ", "\u00a0"));

export const withEntities = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
