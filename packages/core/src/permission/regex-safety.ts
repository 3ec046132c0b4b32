type Part = {
  /** Something in it repeats without bound. */
  repeats: boolean;
  /** Every way through it holds something that has to stand there exactly once. */
  anchored: boolean;
  branches: string[];
};

const OPENING = /\?(?:P?<\w+>|[a-zA-Z-]*:)/y;
const QUANTIFIER = /(?:([*+])|\{(\d+)(,?)(\d*)\}|(\?))[?+]?/y;

/**
 * Whether an engine that goes back and forth could need exponential time for the expression: a repetition of what itself
 * repeats, or of alternatives that begin alike. Ours never does; other programs that read the same file may.
 */
export function hasCatastrophicBacktracking(pattern: string): boolean {
  let at = 0;
  let found = false;

  const group = (): Part => {
    const part: Part = { repeats: false, anchored: true, branches: [] };
    skip(OPENING);
    do {
      const start = at;
      const branch = alternative();
      part.repeats ||= branch.repeats;
      part.anchored &&= branch.anchored;
      part.branches.push(pattern.slice(start, at));
    } while (pattern[at++] === "|");
    return part;
  };

  const alternative = (): Pick<Part, "repeats" | "anchored"> => {
    let [repeats, fixed, wild] = [false, false, false];
    while (at < pattern.length && pattern[at] !== "|" && pattern[at] !== ")") {
      const atom = pattern[at] === "(" ? (at++, group()) : { any: pattern[at] === ".", end: (at = endOfAtom(pattern, at)) };
      const times = quantifier();
      if ("branches" in atom) {
        if (times.unbounded && ((atom.repeats && !atom.anchored) || beginAlike(atom.branches))) found = true;
        repeats ||= atom.repeats;
        fixed ||= atom.anchored && !times.optional;
      } else {
        fixed ||= times.once;
        wild ||= times.unbounded && atom.any;
      }
      repeats ||= times.unbounded;
    }
    return { repeats, anchored: fixed && !wild };
  };

  const quantifier = () => {
    const [text = "", sign, least, comma, most, maybe] = skip(QUANTIFIER) ?? [];
    const unbounded = sign !== undefined || (comma === "," && most === "");
    return { unbounded, optional: sign === "*" || maybe !== undefined || least === "0", once: text === "" };
  };

  const skip = (what: RegExp): RegExpExecArray | null => {
    what.lastIndex = at;
    const skipped = what.exec(pattern);
    at += skipped?.[0].length ?? 0;
    return skipped;
  };

  while (at < pattern.length) group();
  return found;
}

function endOfAtom(pattern: string, at: number): number {
  if (pattern[at] === "\\") return at + 2;
  if (pattern[at] !== "[") return at + 1;
  let end = at + 2;
  while (end < pattern.length && pattern[end] !== "]") end += pattern[end] === "\\" ? 2 : 1;
  return end + 1;
}

/** Whether one of the branches is the beginning of another, so that a text can be read in two ways. */
const beginAlike = (branches: readonly string[]): boolean =>
  branches.some((one, i) => branches.some((other, j) => i !== j && one !== "" && (other.startsWith(one) || one === "." || one === "\\w")));
