/**
 * True if a sed script only selects, changes and prints text. It neither reads nor writes files, and it runs nothing. A
 * script with anything that the gate does not know is not quiet. The check needs one pass.
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

/** Returns the text after the first command. Undefined if the command is not quiet. */
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

/** Reads a command such as `s/a/b/g`. Accepts only flags that choose what it changes and prints. */
function substitution(text: string): string | undefined {
  const sign = text[1];
  if (sign === undefined || /[\\\n\s\w[\]{}]/.test(sign)) return undefined;
  const middle = endOfPart(text, 2, sign);
  const end = middle === undefined ? undefined : endOfPart(text, middle + 1, sign);
  if (end === undefined) return undefined;
  const rest = text.slice(end + 1).replace(/^[gpiI\d]+/, "");
  return /^[ \t]*(?:[;\n}]|$)/.test(rest) ? rest : undefined;
}

/** Returns the index of the delimiter that ends a part. Undefined if it is inside of brackets, where it may be a plain character. */
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

/** A bracket expression. It may contain classes, and its first character may be a bracket. Source: "RE Bracket Expression" in POSIX. */
const BRACKETS = /^\[\^?\]?(?:\[([:.=]).*?\1\]|[^\]])*\]/s;
