/** Brackets of a pattern. `sign` may be a plain character in them, so they may not hold it. */
const brackets = (sign: string) => String.raw`\[(?:\^?\]|(?!\^?\]))(?:\[:\w+:\]|(?!${sign})(?:\[(?![:.=])|[^[\]\\\n]|\\(?!\])))*\]`;

/** The text of a part of a command, in front of the sign that ends it. */
const text = (sign: string) => String.raw`(?:\\[^]|${brackets(sign)}|(?!${sign})[^\\\n[])*`;
const part = (sign: string) => text(sign) + sign;

/**
 * A pattern with a slash in its brackets. Some versions of sed end the pattern there, and then refuse all of the script because of the open bracket.
 * Before that, they would only write the file behind a flag `w`.
 */
const CUT = String.raw`\/${text("/")}\[\^?[^\\\n[\]/^]*\/[^\\\n[\]/]*\]${part("/")}`;

/** Other signs around the pattern of an address. */
const MARKED = "|#,@%:!~"
  .split("")
  .map((sign) => String.raw`\\${`[${sign}]`}${part(`[${sign}]`)}`)
  .join("|");
const ADDRESS = String.raw`(?:\d+(?:~\d+)?|\$|(?:\/${part("/")}|${CUT}|${MARKED})[IM]*)`;
const FLAGS = String.raw`[gpiImM\d]*`;
const CHANGE = String.raw`s${CUT}(?![gpiImMe\d\s]*w)${part("/")}${FLAGS}|[sy](?<sign>[^\\\n\s\w[\]{}])${part(String.raw`\k<sign>`).repeat(2)}${FLAGS}`;
const OTHER = String.raw`r \/dev\/stdin|[pdlhHgGxnNDPFz=]|[qQl] ?\d*|: ?\w+|[btT] ?\w*`;
/** The text of these commands goes on to the end of the line. */
const TEXT = String.raw`[aic](?:[^\n\\]|\\[^\n])*(?=\n|$)`;

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
