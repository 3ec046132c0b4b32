/** An RE2 expression for paths with `/` between their parts. `exact`: it covers the same paths as the pattern. */
export type TranslatedPattern = { regex: string; exact: boolean };

/**
 * How to translate a pattern of a gitignore file. `below`: the folder that the pattern is relative to, as an absolute path with `/` at
 * its end, or `""` for the folder that the paths themselves are relative to. `wider`: a pattern without an exact translation, or one
 * that may mean a folder or a file, covers more paths rather than fewer.
 */
export type IgnorePatternOptions = { below: string; wider: boolean };

/**
 * Translates a pattern of a gitignore file to RE2. A pattern without a `/` before its end matches at any depth; one that names a folder
 * covers everything in it. Undefined if there is no translation or, without `wider`, no exact one.
 */
export function translateIgnorePattern(text: string, { below, wider }: IgnorePatternOptions): TranslatedPattern | undefined {
  const pattern = text.replace(/(?<!\\) +$/, "");
  if (/^[!#]/.test(pattern) || /(?:^|[^\\])(?:\\\\)*\\$/.test(pattern)) return undefined;
  const parts = pattern.split("/").filter((part) => part !== "" && part !== ".");
  if (parts.includes("..")) return undefined;
  const isAnchored = below !== "" || /\/./s.test(pattern);
  if (pattern.endsWith("/") && parts.at(-1) === "**") parts.push("*"); // folders at any depth
  const names = withoutRepeatedSpans(parts);
  const translated = names.map((part, i) => translateIgnorePart(part, i === names.length - 1));
  const exact = translated.every((each) => each.exact) && !pattern.includes("//");
  if (!exact && !wider) return undefined;
  const last = names.at(-1);
  const path = translated.map(({ regex }, i) => (i < names.length - 1 && names[i] !== "**" ? `${regex}/` : regex)).join("");
  const folderEnd = pattern.endsWith("/") && !wider ? "/" : "(?:/|$)";
  const end = last === undefined || last === "**" ? "" : folderEnd;
  // Relative paths do not begin with a slash.
  const inside = path === "" && below === "" ? "[^/]" : "";
  return { regex: `^${escapeLiteral(below)}${isAnchored || last === undefined ? "" : ANY_DEPTH}${path}${end}${inside}`, exact };
}

/**
 * Translates a glob without braces to RE2. `*` and `?` stay within a part of the path, and `**` spans parts. A glob without a `/` is
 * matched against the last part.
 */
export function translateGlob(glob: string): string {
  const parts = withoutRepeatedSpans((glob.includes("/") ? glob : `**/${glob}`).split("/"));
  const translated = parts.map((part, i) => {
    if (part !== "**") return i > 0 && parts[i - 1] !== "**" ? `/${translatePart(part).regex}` : translatePart(part).regex;
    if (i < parts.length - 1) return i === 0 ? ANY_DEPTH : `/${ANY_DEPTH}`;
    return i === 0 ? ".*" : "(?:/.*)?";
  });
  return `(?s)^${translated.join("")}$`;
}

const ANY_DEPTH = "(?:[^/]+/)*";
const WITHIN_PART = "[^/]*";

/** Escapes a text so that an expression matches it literally. */
export const escapeLiteral = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);

const withoutRepeatedSpans = (parts: readonly string[]): string[] => parts.filter((part, i) => part !== "**" || parts[i - 1] !== "**");

function translateIgnorePart(part: string, isLast: boolean): TranslatedPattern {
  if (part === "**") return { regex: isLast ? "" : ANY_DEPTH, exact: true };
  return /^\*+$/.test(part) ? { regex: "[^/]+", exact: true } : translatePart(part);
}

/** Translates the text between two slashes. */
function translatePart(part: string): TranslatedPattern {
  let regex = "";
  let exact = true;
  for (let i = 0; i < part.length; i++) {
    const character = part.charAt(i);
    if (character === "*") regex += regex.endsWith(WITHIN_PART) ? "" : WITHIN_PART;
    else if (character === "?") regex += "[^/]";
    else if (character === "\\") regex += escapeLiteral(part.charAt(++i));
    else if (character === "[") {
      const found = readCharacterClass(part, i);
      exact &&= found.exact;
      regex += found.regex;
      i = found.end;
    } else regex += escapeLiteral(character);
  }
  return { regex, exact };
}

/** A class of characters that ends at the index `end`. If it is not exact, it covers every text that could be there. */
type CharacterClass = { regex: string; exact: boolean; end: number };

/** Reads the class that opens at the index `at`. No class matches a slash. */
function readCharacterClass(part: string, at: number): CharacterClass {
  const isNegated = /[!^]/.test(part.charAt(at + 1));
  const begin = at + (isNegated ? 2 : 1);
  const items: string[] = [];
  let isBackwards = false;
  for (let i = begin; i < part.length; i++) {
    if (part[i] === "]" && i > begin) {
      const isUnclear = isBackwards || (items.length === 0 && !isNegated);
      return { ...(isUnclear ? ANY_CHARACTER : toClass(items, isNegated)), end: i };
    }
    if (part.startsWith("[:", i)) return { regex: WITHIN_PART, exact: false, end: endOfNamedClass(part, i) };
    const [low, lowEnd] = readClassCharacter(part, i);
    const isRange = part[lowEnd + 1] === "-" && lowEnd + 2 < part.length && part[lowEnd + 2] !== "]";
    const [high, highEnd] = isRange ? readClassCharacter(part, lowEnd + 2) : [low, lowEnd];
    isBackwards ||= low > high;
    items.push(...toRanges(low, high));
    i = highEnd;
  }
  return { regex: WITHIN_PART, exact: false, end: part.length };
}

/** Programs read a range that runs backwards in different ways. */
const ANY_CHARACTER: Omit<CharacterClass, "end"> = { regex: "[^/]", exact: false };

const toClass = (items: readonly string[], isNegated: boolean): Omit<CharacterClass, "end"> => ({
  regex: isNegated ? `[^/${items.join("")}]` : `[${items.join("")}]`,
  exact: true,
});

/** Reads one character of a class and the index where it ends. A backslash escapes the character after it. */
const readClassCharacter = (part: string, i: number): [character: string, end: number] => {
  const isEscaped = part[i] === "\\" && i + 1 < part.length;
  const end = isEscaped ? i + 1 : i;
  const character = String.fromCodePoint(part.codePointAt(end) ?? 0);
  return [character, end + character.length - 1];
};

/** A range as an expression, without the slash. */
function toRanges(low: string, high: string): string[] {
  if (low < "/" && high > "/") return [`${escapeInClass(low)}-.`, `0-${escapeInClass(high)}`];
  if (low === "/" && high === "/") return [];
  if (low === "/") return [`0-${escapeInClass(high)}`];
  if (high === "/") return [`${escapeInClass(low)}-.`];
  return [low === high ? escapeInClass(low) : `${escapeInClass(low)}-${escapeInClass(high)}`];
}

const escapeInClass = (character: string): string => (/[\\[\]^-]/.test(character) ? `\\${character}` : character);

/** The index of the end of a class that holds a named class such as `[:alpha:]`. */
function endOfNamedClass(part: string, i: number): number {
  const end = part.indexOf("]", part.indexOf(":]", i) + 2);
  return end < 0 ? part.length : end;
}
