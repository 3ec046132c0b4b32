/** Words of the language, and functions, by which a program of awk runs, reads or sends something. Source: gawk(1). */
const ACTING = new Set("system getline fflush close ARGV ARGC ENVIRON PROCINFO FUNCTAB SYMTAB".split(" "));

/**
 * Whether a program of awk only computes and prints: it runs nothing, reads no other input, and writes no file. What is not
 * understood here is not quiet. Comments are not, as a quote in one hides what follows from those who look for texts.
 */
export function isQuietProgram(text: string): boolean {
  const tokens = tokensOf(text);
  if (!tokens) return false;
  let isPrinting = false;
  let depth = 0;
  let before = "";
  for (const token of tokens) {
    if (ACTING.has(token) || token === "|" || token === "@") return false;
    if (token === "print" || token === "printf") [isPrinting, depth] = [true, 0];
    else if (depth <= 0 && (/^[;}]$/.test(token) || (token === "\n" && ENDS.test(before)))) isPrinting = false;
    else if (token === "(") depth++;
    else if (token === ")") depth--;
    else if (token === ">" && isPrinting && depth <= 0) return false;
    if (token !== "\n") before = token;
  }
  return true;
}

/** Behind anything else, such as a comma or `&&`, the statement goes on in the next line. Source: "Statements/Lines" in the manual of gawk. */
const ENDS = /^(\w+|[\d.]+|""|\)|\]|\$|\+\+|--)$/;

const NAME = /^[A-Za-z_]\w*/;
const NUMBER = /^(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/;
const TEXT = /^"(?:[^"\\\n]|\\[^\n])*"/;
const PATTERN = /^\/(?:[^/\\\n[]|\\[^\n]|\[\^?\]?(?:[^\]\\\n/]|\\[^\n])*\])*\//;
const SIGNS = /^(?:\|\||&&|[<>=!]=|\+\+|--|[-+*%^/]=|!~|>>|[-+*%^<>=!~?:,;(){}[\]$|&@\n/])/;

/** Behind these a slash may begin a pattern or divide; without a second slash it divides. */
const EITHER = /^(\)|\$|\+\+|--)$/;

/** Names, texts and signs in their order; undefined where something is not understood. A pattern counts as a text. */
function tokensOf(program: string): string[] | undefined {
  const tokens: string[] = [];
  let rest = program.replaceAll("\\\n", " ");
  while (true) {
    rest = rest.replace(/^[ \t\r]+/, "");
    if (rest === "") return tokens;
    const before = tokens.at(-1);
    const isSlash = rest.startsWith("/");
    if (isSlash && EITHER.test(before ?? "") && rest.includes("/", 1)) return undefined;
    const isPattern =
      isSlash && (before === undefined || !/^[\w"$)\]+-]/.test(before) || /^(print|printf|return|in|case|else|do)$/.test(before));
    const token = isPattern ? PATTERN.exec(rest)?.[0] : (NAME.exec(rest) ?? NUMBER.exec(rest) ?? TEXT.exec(rest) ?? SIGNS.exec(rest))?.[0];
    if (token === undefined) return undefined;
    tokens.push(isPattern || token.startsWith('"') ? '""' : token === ">>" ? ">" : token);
    rest = rest.slice(token.length);
  }
}
