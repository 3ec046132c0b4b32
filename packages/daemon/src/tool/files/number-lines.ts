const MAX_CHARACTERS = 2_000;

/** Splits a text into lines as an editor does: a line end at the end of the text begins no new line. */
export function splitLines(text: string): string[] {
  const lines = text.replace(/^\ufeff/, "").split(/\r?\n/);
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

/** Prefixes lines with their numbers. `first`: the number of the first line. */
export const numberLines = (lines: readonly string[], first: number): string =>
  lines.map((line, i) => `${first + i}\t${cutLine(line)}`).join("\n");

/** Cuts a very long line. */
export function cutLine(line: string, most = MAX_CHARACTERS): string {
  return line.length > most ? `${line.slice(0, most)}… (${line.length - most} more characters)` : line;
}
