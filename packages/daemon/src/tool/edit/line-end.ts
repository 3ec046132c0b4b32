/** The line end that most lines of a text have. */
export function usualLineEnd(text: string): "\n" | "\r\n" {
  const windows = text.split("\r\n").length - 1;
  const all = text.split("\n").length - 1;
  return windows * 2 > all ? "\r\n" : "\n";
}

/** The text with these line ends. */
export const withLineEnds = (text: string, lineEnd: "\n" | "\r\n"): string =>
  lineEnd === "\n" ? text.replaceAll("\r\n", "\n") : text.replaceAll(/\r?\n/g, "\r\n");
