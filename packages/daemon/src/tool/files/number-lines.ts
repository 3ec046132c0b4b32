const MAX_CHARACTERS = 2_000;

/** The lines of a text as an editor counts them: an end of line at the very end begins no new one. */
export function splitLines(text: string): string[] {
  const lines = text.replace(/^\ufeff/, "").split(/\r?\n/);
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

/** Lines behind their numbers; `first` is the number of the first. */
export const numberLines = (lines: readonly string[], first: number): string =>
  lines.map((line, i) => `${first + i}\t${cutLine(line)}`).join("\n");

/** A line that is too long to be read keeps its beginning. */
export function cutLine(line: string, most = MAX_CHARACTERS): string {
  return line.length > most ? `${line.slice(0, most)}… (${line.length - most} more characters)` : line;
}
