/**
 * Whether a script of sed only selects, changes and prints text: it neither reads nor writes files, nor runs anything.
 * Anything that is not known here is not quiet. Needs one pass.
 */
export function isQuietScript(text: string): boolean {
  let rest = text;
  while (rest !== "") {
    const after = command(rest.replace(/^[ \t\n;}]+/, ""));
    if (after === undefined) return false;
    rest = after;
  }
  return true;
}

/** What is left behind the first command; undefined when it is not quiet. */
function command(text: string): string | undefined {
  if (text === "") return "";
  const rest = afterAddresses(text);
  if (rest === undefined) return undefined;
  const name = rest[0] ?? "";
  if (name === "s" || name === "y") return substitution(rest);
  if (name === "{") return rest.slice(1);
  if (/^[aic]$/.test(name)) return /^[aic]\\{0,2} ?[^\n\\]*$/.test(rest) ? "" : undefined; // the text goes on to the end of the line
  const whole = /^(?:r \/dev\/stdin|[pdlhHgGxnNDP=]|[qQl] ?\d*|: ?\w+|[btT] ?\w*)(?=[ \t]*(?:[;\n}]|$))/.exec(rest)?.[0];
  return whole === undefined ? undefined : rest.slice(whole.length);
}

function afterAddresses(text: string): string | undefined {
  const first = afterAddress(text);
  if (first === undefined) return undefined;
  if (!first.startsWith(",")) return first.replace(/^[ \t]*!?[ \t]*/, "");
  const second = afterAddress(first.slice(1).replace(/^[~+]/, ""));
  return second === undefined || second.length === first.length - 1 ? undefined : second.replace(/^[ \t]*!?[ \t]*/, "");
}

function afterAddress(text: string): string | undefined {
  const plain = /^(?:\d+(?:~\d+)?|\$)/.exec(text)?.[0];
  if (plain !== undefined) return text.slice(plain.length);
  if (!text.startsWith("/")) return text;
  const end = endOfPart(text, 1, "/");
  return end === undefined ? undefined : text.slice(end + 1).replace(/^I/, "");
}

/** `s/a/b/g`: of its flags only those that choose what is changed and printed. */
function substitution(text: string): string | undefined {
  const sign = text[1];
  if (sign === undefined || /[\\\n\s\w[\]{}]/.test(sign)) return undefined;
  const middle = endOfPart(text, 2, sign);
  const end = middle === undefined ? undefined : endOfPart(text, middle + 1, sign);
  if (end === undefined) return undefined;
  const rest = text.slice(end + 1).replace(/^[gpiI\d]+/, "");
  return /^[ \t]*(?:[;\n}]|$)/.test(rest) ? rest : undefined;
}

/** Where the sign stands that ends a part. Within brackets it is not clear whether it does, so that is no end. */
function endOfPart(text: string, from: number, sign: string): number | undefined {
  for (let at = from; at < text.length; at++) {
    const letter = text[at];
    if (letter === "\\") at++;
    else if (letter === "\n") return undefined;
    else if (letter === sign) return at;
    else if (letter === "[") {
      const set = BRACKETS.exec(text.slice(at))?.[0];
      if (set === undefined) continue;
      if (set.includes(sign) || /\\\]|\n/.test(set)) return undefined;
      at += set.length - 1;
    }
  }
  return undefined;
}

/** A set of letters with classes in it, whose first letter may be a bracket. Source: "RE Bracket Expression" in POSIX. */
const BRACKETS = /^\[\^?\]?(?:\[([:.=]).*?\1\]|[^\]])*\]/s;
