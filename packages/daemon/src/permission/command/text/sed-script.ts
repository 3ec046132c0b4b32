/** Brackets of a pattern. `sign` may be a plain character in them, so they may not hold it. */
const brackets = (sign: string) => String.raw`\[(?:\^?\]|(?!\^?\]))(?:\[:\w+:\]|(?!${sign})(?:\[(?![:.=])|[^[\]\\\n]|\\(?!\])))*\]`;

/** A part of a command, up to the sign that ends it. */
const part = (sign: string) => String.raw`(?:\\[^]|${brackets(sign)}|(?!${sign})[^\\\n[])*${sign}`;

const ADDRESS = String.raw`(?:\d+(?:~\d+)?|\$|\/${part("/")}I?)`;
const CHANGE = String.raw`[sy](?<sign>[^\\\n\s\w[\]{}])${part(String.raw`\k<sign>`).repeat(2)}[gpiI\d]*`;
const OTHER = String.raw`r \/dev\/stdin|[pdlhHgGxnNDP=]|[qQl] ?\d*|: ?\w+|[btT] ?\w*`;
/** The text of these commands goes on to the end of the line. */
const TEXT = String.raw`[aic](?:[^\n\\]|\\[^\n])*$`;

/** A command that only selects, changes or prints text, with its addresses, or what separates two of them. */
const QUIET = new RegExp(
  String.raw`[ \t\n;}]+|(?:${ADDRESS})?(?:,(?:[~+]?${ADDRESS})?)?[ \t]*!?[ \t]*(?:\{|${TEXT}|(?:${CHANGE}|${OTHER})(?=[ \t]*(?:[;\n}]|$)))`,
  "gy",
);

/**
 * True if a sed script only selects, changes and prints text. It neither reads nor writes files, and it runs nothing. A
 * script with anything that the gate does not know is not quiet.
 */
export const isQuietScript = (text: string): boolean => text.replace(QUIET, "") === "";
