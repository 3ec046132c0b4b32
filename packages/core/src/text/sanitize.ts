/**
 * Text of models, tools and servers is untrusted. It may contain escape sequences that move the cursor or rewrite the screen, and
 * invisible characters. Clients pass everything that they draw through one of these functions.
 */

/** For reading: removes escape sequences, control characters except newline and tab, and characters that change the direction of text. */
export function sanitize(text: string): string {
  if (!SUSPECT.test(text)) return text;
  return withoutSequences(text.replaceAll("\r\n", "\n")).replace(INVISIBLE, (character) => {
    if (character === "\r") return "\n";
    return ALLOWED_CONTROLS.has(character) ? character : "";
  });
}

/** For approval: replaces every invisible or misleading character with its code point, such as `\u{202e}`. */
export function escapeInvisible(text: string): string {
  return text.replace(DECEPTIVE, (character) => (VISIBLE.has(character) ? character : `\\u{${character.codePointAt(0)?.toString(16)}}`));
}

/** For reading, on one line: newlines and runs of spaces become one space. */
export const oneLine = (text: string): string => sanitize(text).replace(/\s+/g, " ").trim();

/** A text on one line in which nothing is hidden. */
export const visibleLine = (text: string): string => oneLine(escapeInvisible(text));

/** Program output as a terminal shows it: after a carriage return the new text replaces the line. */
export function settleOutput(text: string): string {
  const lines = text.replaceAll("\r\n", "\n").split("\n");
  return sanitize(lines.map((line) => line.replace(/\r+$/, "").split("\r").at(-1) ?? "").join("\n"));
}

const SUSPECT = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
const DECEPTIVE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Zs}\p{Co}\p{Cn}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu;
/** Newline and tab, and the joiners that some scripts and emoji need. */
const ALLOWED_CONTROLS = new Set(["\n", "\t", "\u200c", "\u200d"]);
const VISIBLE = new Set(["\n", "\t", " "]);

const ESC = "\u001b";
const STRING_STARTS = new Set(["]", "P", "X", "^", "_"]);
const C1_STRINGS = new Set(["\u0090", "\u0098", "\u009d", "\u009e", "\u009f"]);

/** Removes whole sequences (CSI, OSC, DCS and similar), so that their bodies do not remain as text. */
function withoutSequences(text: string): string {
  let result = "";
  for (let at = 0; at < text.length;) {
    const character = text.charAt(at);
    if (character === ESC) at = afterEscape(text, at + 1);
    else if (character === "\u009b") at = afterControlSequence(text, at + 1);
    else if (C1_STRINGS.has(character)) at = afterString(text, at + 1);
    else {
      result += character;
      at++;
    }
  }
  return result;
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

/** The index after the string terminator. A string without a terminator hides only the rest of its line. */
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
