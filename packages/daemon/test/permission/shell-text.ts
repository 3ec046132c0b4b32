/** Returns the shell text of a line of a corpus, without its sets. `\n` is a line end, and `\N` is a backslash and an `n`. */
export const shellText = (line: string): string =>
  line
    .replace(/^[\w,]+ :: /, "")
    .replaceAll("\\n", "\n")
    .replaceAll("\\N", "\\n");
