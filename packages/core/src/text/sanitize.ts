/**
 * Text of models, tools and servers is untrusted: it may hold escape sequences that move the cursor, hide or rewrite what
 * stands on the screen, and characters that nobody sees. Everything that is drawn goes through one of these functions.
 */

/** For reading: no escape sequence, no control character besides newline and tab, nothing that turns the direction of text. */
export function sanitize(text: string): string {
  if (!SUSPECT.test(text)) return text;
  return withoutSequences(text.replaceAll("\r\n", "\n")).replace(UNSEEN, (character) =>
    ALLOWED_CONTROLS.has(character) ? character : character === "\r" ? "\n" : "",
  );
}

/** For approving: everything that is not seen as what it is stands there by its number, such as `\u{202e}`. */
export function escapeInvisible(text: string): string {
  return text.replace(DECEPTIVE, (character) => (SEEN.has(character) ? character : `\\u{${character.codePointAt(0)?.toString(16)}}`));
}

/** One line for reading: no newline, no run of blanks. */
export const oneLine = (text: string): string => sanitize(text).replace(/\s+/g, " ").trim();

/** Output of a program as a terminal would leave it: a line that was written over shows what was written last. */
export function settleOutput(text: string): string {
  const lines = text.replaceAll("\r\n", "\n").split("\n");
  return sanitize(lines.map((line) => line.replace(/\r+$/, "").split("\r").at(-1) ?? "").join("\n"));
}

const SUSPECT = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
const DECEPTIVE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Zs}\p{Co}\p{Cn}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu;
/** Newline and tab; joiners, as scripts and emoji need them. */
const ALLOWED_CONTROLS = new Set(["\n", "\t", "\u200c", "\u200d"]);
const SEEN = new Set(["\n", "\t", " "]);

const ESC = "\u001b";
const STRING_STARTS = new Set(["]", "P", "X", "^", "_"]);
const C1_STRINGS = new Set(["\u0090", "\u0098", "\u009d", "\u009e", "\u009f"]);

/** Leaves out whole sequences (CSI, OSC, DCS and the like), so that their bodies do not stay behind as text. */
function withoutSequences(text: string): string {
  let kept = "";
  for (let at = 0; at < text.length;) {
    const character = text.charAt(at);
    if (character === ESC) at = afterEscape(text, at + 1);
    else if (character === "\u009b") at = afterControlSequence(text, at + 1);
    else if (C1_STRINGS.has(character)) at = afterString(text, at + 1);
    else {
      kept += character;
      at++;
    }
  }
  return kept;
}

function afterEscape(text: string, at: number): number {
  const kind = text.charAt(at);
  if (kind === "[") return afterControlSequence(text, at + 1);
  if (STRING_STARTS.has(kind)) return afterString(text, at + 1);
  let end = at;
  while (isIn(text, end, 0x20, 0x2f)) end++;
  return isIn(text, end, 0x30, 0x7e) ? end + 1 : end;
}

function afterControlSequence(text: string, at: number): number {
  let end = at;
  while (isIn(text, end, 0x20, 0x3f)) end++;
  return isIn(text, end, 0x40, 0x7e) ? end + 1 : end;
}

/** To the terminator; a string that never ends hides no more than the rest of its line. */
function afterString(text: string, at: number): number {
  for (let end = at; end < text.length; end++) {
    const character = text.charAt(end);
    if (character === "\u0007" || character === "\u009c") return end + 1;
    if (character === ESC) return text.charAt(end + 1) === "\\" ? end + 2 : end;
    if (character === "\n") return end;
  }
  return text.length;
}

function isIn(text: string, at: number, low: number, high: number): boolean {
  const code = text.charCodeAt(at);
  return code >= low && code <= high;
}
