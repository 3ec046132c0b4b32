import type { Token } from "./code-tokens.ts";
import { wordSet } from "../tables/name-matcher.ts";

/**
 * Returns the names of Python code that hold nothing but texts, with all texts that they may hold: `f = "a.json"` and `for f in ["a", "b"]`.
 * Every other place with the name must be one that certainly only uses it: `f.name`, `g(x, f)` or `g("-" + f)`.
 */
export function knownNames(tokens: readonly Token[]): Map<string, string[]> {
  const known = new Map<string, string[]>();
  const others = new Set<string>();
  const opened: number[] = [];
  let isTarget = false;
  const textAt = (i: number) => tokens[i]?.text ?? "";
  for (const [i, { kind, text, parts, isFirst }] of tokens.entries()) {
    if (text === "lambda" || parts.some((part) => /\b(for|lambda)\b|:=/.test(part)) || (isTarget && /^[.[{]$/.test(text))) return new Map();
    if (/^[([{]$/.test(text)) opened.push(i);
    else if (/^[)\]}]$/.test(text)) opened.pop();
    if (kind !== "name" || textAt(i - 1) === ".") continue;
    if (text === "for" || text === "in") isTarget = text === "for";
    const isAlone =
      opened.length === 0 && (isFirst || /^[;:]$/.test(textAt(i - 1))) && (tokens[i + 3]?.isFirst !== false || textAt(i + 3) === ";");
    const texts =
      textAt(i - 1) === "for" ? loopedOver(tokens.slice(i + 1)) : isAlone && textAt(i + 1) === "=" ? [tokens[i + 2]?.value] : [];
    const isUse = !isTarget && (textAt(i + 1) === "." || isArgument(i, opened.at(-1) ?? -1, tokens));
    if (texts.length > 0) known.set(text, [...(known.get(text) ?? []), ...texts.map((each) => each ?? "")]);
    if (texts.length > 0 ? texts.includes(undefined) : !isUse) others.add(text);
  }
  for (const name of others) known.delete(name);
  return known;
}

/** Returns the elements of a list or a tuple of texts behind `for name`, up to a colon or a closing bracket. */
function loopedOver([sign, open, ...rest]: readonly Token[]): (string | undefined)[] {
  const end = rest.findIndex(({ text }) => /^[\])]$/.test(text));
  const isTuple = open?.text === "(" && rest[1]?.text === ",";
  const isList = (isTuple || open?.text === "[") && /^[:\])]$/.test(rest[end + 1]?.text ?? "");
  const items = rest.slice(0, Math.max(end, 0));
  return sign?.text === "in" && isList && items.every(({ text }, i) => i % 2 === 0 || text === ",")
    ? items.filter((_, i) => i % 2 === 0).map(({ value }) => value)
    : [];
}

/** True for a name that is an argument, or that such an argument begins or ends with. `at`: the bracket around it. */
const isArgument = (i: number, at: number, tokens: readonly Token[]): boolean =>
  tokens[at]?.text === "(" &&
  tokens[at].isGlued &&
  tokens[at - 1]?.kind === "name" &&
  !KEYWORDS.has(tokens[at - 1]?.text ?? "") &&
  tokens[at - 2]?.text !== "def" &&
  /^[(,+]$/.test(tokens[i - 1]?.text ?? "") &&
  /^[),+]$/.test(tokens[i + 1]?.text ?? "");

const KEYWORDS = wordSet("in if elif else is not and or while def return with as except assert raise for");
