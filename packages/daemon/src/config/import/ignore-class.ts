/** A class of characters, `end` where its last sign stands. Not exact: it covers any text that could stand there. */
type Class = { regex: string; exact: boolean; end: number };

/** Reads the class of a gitignore pattern that opens at `at`. No class of gitignore ever matches a slash. */
export function readCharacterClass(part: string, at: number): Class {
  const negated = /[!^]/.test(part.charAt(at + 1));
  const begin = at + (negated ? 2 : 1);
  const items: string[] = [];
  let backwards = false;
  for (let i = begin; i < part.length; i++) {
    if (part[i] === "]" && i > begin) return { ...(backwards || (items.length === 0 && !negated) ? ANY : closed(items, negated)), end: i };
    if (part.startsWith("[:", i)) return { regex: "[^/]*", exact: false, end: endOfNamed(part, i) };
    const [low, lowEnd] = signAt(part, i);
    const isRange = part[lowEnd + 1] === "-" && lowEnd + 2 < part.length && part[lowEnd + 2] !== "]";
    const [high, highEnd] = isRange ? signAt(part, lowEnd + 2) : [low, lowEnd];
    backwards ||= low > high;
    items.push(...rangeOf(low, high));
    i = highEnd;
  }
  return { regex: "[^/]*", exact: false, end: part.length };
}

/** A range that runs backwards means something else to everybody. */
const ANY: Omit<Class, "end"> = { regex: "[^/]", exact: false };

const closed = (items: readonly string[], negated: boolean): Omit<Class, "end"> => ({
  regex: negated ? `[^/${items.join("")}]` : `[${items.join("")}]`,
  exact: true,
});

/** A sign, and where it ends: with a backslash before it, it stands for itself. */
const signAt = (part: string, i: number): [sign: string, end: number] =>
  part[i] === "\\" && i + 1 < part.length ? [part.charAt(i + 1), i + 1] : [part.charAt(i), i];

/** A range as it stands in an expression, without the slash. */
function rangeOf(low: string, high: string): string[] {
  if (low < "/" && high > "/") return [`${escaped(low)}-.`, `0-${escaped(high)}`];
  if (low === "/" || high === "/") return low === high ? [] : low === "/" ? [`0-${escaped(high)}`] : [`${escaped(low)}-.`];
  return [low === high ? escaped(low) : `${escaped(low)}-${escaped(high)}`];
}

const escaped = (sign: string): string => (/[\\[\]^-]/.test(sign) ? `\\${sign}` : sign);

/** Past `[:alpha:]` and the class around it. */
function endOfNamed(part: string, i: number): number {
  const end = part.indexOf("]", part.indexOf(":]", i) + 2);
  return end < 0 ? part.length : end;
}
