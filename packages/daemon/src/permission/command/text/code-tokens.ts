import { wordSet } from "../tables/name-matcher.ts";

/**
 * One token of code. `value`: the exact content of a string without escapes. `parts`: code inside a string, as in `${x}` or
 * an f-string. `isGlued`: nothing separates the token from the token before.
 */
export type Token = { kind: Kind; text: string; value?: string; parts: readonly string[]; isGlued: boolean };
type Kind = "name" | "number" | "text" | "pattern" | "sign";

const NAMES = String.raw`(?<number>\d[\w.]*)|(?<name>[A-Za-z_$][\w$]*)`;
const SIGN = String.raw`(?<sign>\.\.\.|=>|[=!]==?|[<>]=|\+\+|--|&&|\|\||\?\?|\*\*|\/\/|[-+*%<>=!?:.,;(){}[\]&|~^/])`;

const PYTHON = new RegExp(
  String.raw`(?<blank>(?:\s|#[^\n]*|\\\n)+)|(?<text>(?:[fF][rR]?|[rR][fF])(?:"(?!"")(?:[^"\\\n{}]|\\[^\n{}]|\{\{|\}\}|\{[^"\\\n{}]+\})*"|'(?!'')(?:[^'\\\n{}]|\\[^\n{}]|\{\{|\}\}|\{[^'\\\n{}]+\})*')|(?:[rRuU]|[bB][rR]?|[rR][bB])?(?:"(?!"")(?:[^"\\\n]|\\[^\n])*"|'(?!'')(?:[^'\\\n]|\\[^\n])*'))|${NAMES}|${SIGN}`,
  "y",
);
const JAVASCRIPT = new RegExp(
  String.raw`(?<blank>\s+)|(?<text>"(?:[^"\\\n]|\\[^\n])*"|'(?:[^'\\\n]|\\[^\n])*'|${"`"}(?:[^${"`"}\\$]|\\[^\n]|\$(?!\{)|\$\{(?:[^${"`"}"'{}\\]|"[^"\\\n{}]*"|'[^'\\\n{}]*')+\})*${"`"})|${NAMES}|(?<pattern>\/(?![/*])(?:[^/\\\n[]|\\[^\n]|\[(?:[^\]\\\n]|\\[^\n])*\])+\/[a-z]*)|${SIGN}`,
  "y",
);

/** Returns the tokens of code. Undefined if it has anything that the gate does not understand, such as an HTML comment or `"""`. */
export function tokensOf(isScript: boolean, code: string): Token[] | undefined {
  if ((isScript ? /<!--|-->/ : ENDING_COMMENTS).test(code)) return undefined;
  const expression = isScript ? JAVASCRIPT : PYTHON;
  const tokens: Token[] = [];
  const opened: (string | undefined)[] = [];
  let closed: string | undefined;
  let end = 0;
  for (let at = 0; at < code.length;) {
    expression.lastIndex = at;
    const found = expression.exec(code);
    if (!found?.groups) return undefined;
    let kind = KINDS.find((each) => found.groups?.[each] !== undefined);
    let [text] = found;
    const before = tokens.at(-1);
    if (isScript && text.startsWith("/")) {
      const divides = before !== undefined && dividesBehind(before, closed);
      const isPrefix = BEFORE_PATTERN.test(before?.text ?? "") && !endsValue(tokens, tokens.length - 1);
      if (!divides && !(kind === "pattern" && isPrefix)) return undefined;
      if (divides && /[/*]/.test(code[at + 1] ?? "")) return undefined;
      if (divides) [kind, text] = ["sign", "/"];
    }
    if (text === "(") opened.push(before?.text);
    if (text === ")") closed = opened.pop();
    at += text.length;
    if (kind === undefined) continue; // it is blank
    const content = kind === "text" ? contentOf(text, isScript) : { parts: [] };
    tokens.push({ kind, text, ...content, isGlued: end === at - text.length && end > 0 });
    end = at;
  }
  return tokens;
}

/** Ends of lines that Python has besides `\n`, and declarations of an encoding in which a comment may contain an end of line. */
const ENDING_COMMENTS = /[\r\0]|^[ \t\f]*#[^\n]*coding[:=]/m;

const KINDS = ["name", "number", "text", "pattern", "sign"] as const;

/** Tokens after which a slash can only begin a regular expression. After others, only a parser of the whole statement can tell. */
const BEFORE_PATTERN = /^([(,=:[!?]|[=!]==?|&&|\|\||=>)$/;

/** Keywords of JavaScript after which an expression, a name or a list begins. */
const OPENING = /^(return|in|of|typeof|else|const|let|var|case)$/;

/** True if a value may end with this token. In TypeScript, which node runs as well, one may end with `!` or with types in `<>`. */
export function endsValue(tokens: readonly Token[], at: number): boolean {
  const { kind, text } = tokens[at] ?? { kind: "sign", text: "" };
  if (kind === "name") return tokens[at - 1]?.text === "." || !OPENING.test(text);
  return text === "!" ? endsValue(tokens, at - 1) : kind !== "sign" || /^([)\]}>]|\+\+|--)$/.test(text);
}

/** True if a value, or the name of a variable, may begin with this token. */
export const startsValue = (token: Token | undefined): boolean =>
  token !== undefined && (token.kind === "sign" ? /^[[{(]$/.test(token.text) : !/^(of|in)$/.test(token.text));

/** JavaScript keywords that are not values, so that a slash after them may begin a regular expression. */
const WORDS = wordSet(`return typeof in of else new break continue do void delete instanceof case default throw yield await extends finally
    try catch var let const export import switch with while for if function class async static get set enum debugger`);

/** True if a slash after this token divides. `closed`: the word before the parentheses that were closed last. */
function dividesBehind({ kind, text }: Token, closed: string | undefined): boolean {
  if (kind === "name") return !WORDS.has(text);
  return kind === "number" || kind === "text" || text === "]" || (text === ")" && !/^(if|while|for)$/.test(closed ?? ""));
}

/** Returns the string without its quotes, and the code inside it. */
function contentOf(text: string, isScript: boolean): Pick<Token, "value" | "parts"> {
  const [, prefix = "", quote = "", body = ""] = /^(\w*)(["'`])(.*)\2$/s.exec(text) ?? [];
  if (!(isScript ? quote === "`" : /f/i.test(prefix))) return { parts: [], ...(body.includes("\\") ? {} : { value: body }) };
  const [escaped, inside] = isScript ? [/\\[^\n]/g, /\$\{([^}]*)\}/g] : [/\{\{|\}\}|\\[^\n]/g, /\{([^}]*)\}/g];
  const parts = [...body.replaceAll(escaped, "").matchAll(inside)].map(([, part = ""]) => part);
  return { parts: isScript ? parts : parts.map(withoutFormat) };
}

/** Returns `total` for `total:>10` and for `total!r`. How Python formats a value is not code. */
function withoutFormat(part: string): string {
  const plain = part.replaceAll(/"[^"]*"|'[^']*'/g, (text) => "_".repeat(text.length));
  let depth = 0;
  for (let i = 0; i < plain.length; i++) {
    if (/[([]/.test(plain[i] ?? "")) depth++;
    else if (/[)\]]/.test(plain[i] ?? "")) depth--;
    else if (depth === 0 && (plain[i] === ":" || (plain[i] === "!" && plain[i + 1] !== "="))) return part.slice(0, i);
  }
  return part;
}
