/** Keywords and functions with which an awk program runs, reads or sends something. Source: gawk(1). */
const ACTING = new Set("system getline fflush close ARGV ARGC ENVIRON PROCINFO FUNCTAB SYMTAB".split(" "));

/** Keywords of gawk that are names for other versions of awk, for which a slash behind them divides. */
const UNCLEAR = new Set("case switch default".split(" "));

/**
 * True if an awk program only computes and prints. It runs nothing, reads no other input, and writes no file. A program
 * that the gate does not understand is not quiet.
 */
export function isQuietProgram(text: string): boolean {
  const tokens = tokensOf(text);
  if (!tokens) return false;
  let isPrinting = false;
  let depth = 0;
  let before = "";
  for (const token of tokens) {
    if (ACTING.has(token) || UNCLEAR.has(token) || token === "|" || token === "@") return false;
    if (token === "print" || token === "printf") [isPrinting, depth] = [true, 0];
    else if (depth <= 0 && (/^[;}]$/.test(token) || (token === "\n" && ENDS.test(before)))) isPrinting = false;
    else if (token === "(") depth++;
    else if (token === ")") depth--;
    else if (token === ">" && isPrinting && depth <= 0) return false;
    if (token !== "\n") before = token;
  }
  return true;
}

/**
 * Tokens after which a newline ends the statement. After any other token, such as a comma or `&&`, the statement continues
 * on the next line. Source: "Statements/Lines" in the manual of gawk.
 */
const ENDS = /^(\w+|[\d.]+|""|\)|\]|\$|\+\+|--)$/;

const NAME = /^[A-Za-z_]\w*/;
const NUMBER = /^(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/;
const TEXT = /^"(?:[^"\\\n]|\\[^\n])*"/;
/** A regular expression. Versions of awk disagree about a slash, another bracket or a first `]` in its brackets. */
const PATTERN = /^\/(?:[^/\\\n[]|\\[^\n]|\[(?!\^?\])\^?(?:\[:\w+:\]|[^[\]\\\n/]|\\[^\n])+\])*\//;
const SIGNS = /^(?:\|\||&&|[<>=!]=|\+\+|--|[-+*%^/]=|!~|>>|[-+*%^<>=!~?:,;(){}[\]$|&@\n/])/;

/** Blanks, a comment, and the output of a statement into a stream that is open anyway. They leave no token. */
const NOTHING = /^(?:[ \t\r]|#[^\n]*|>>?[ \t]*"\/dev\/std(?:out|err)"(?=[ \t]*(?:[;}\n#]|$)))+/;

/** Tokens after which a slash divides. After another one of `EITHER`, it may also begin a regular expression. Without a second slash, it divides. */
const DIVIDED = /^(\w+|[\d.]+([eE][+-]?\d+)?|""|\])$/;
const EITHER = /^(\)|\$|\+\+|--|length|getline)$/;
/** Words after which an expression begins. */
const KEYWORD = /^(print|printf|return|exit|in|else|do)$/;

/** Returns names, strings and operators in order. Undefined if something is not clear. A regular expression counts as a string. */
function tokensOf(program: string): string[] | undefined {
  const tokens: string[] = [];
  if (program.split("\n").some((line) => line.includes("#") && line.endsWith("\\"))) return undefined; // a comment ends with its line
  let rest = program.replaceAll("\\\n", " ");
  while (true) {
    rest = rest.replace(NOTHING, "");
    if (rest === "") return tokens;
    const before = tokens.at(-1);
    const isSlash = rest.startsWith("/");
    if (isSlash && EITHER.test(before ?? "") && rest.includes("/", 1)) return undefined;
    const isPattern = isSlash && (before === undefined || KEYWORD.test(before) || !(DIVIDED.test(before) || EITHER.test(before)));
    const token = isPattern ? PATTERN.exec(rest)?.[0] : (NAME.exec(rest) ?? NUMBER.exec(rest) ?? TEXT.exec(rest) ?? SIGNS.exec(rest))?.[0];
    if (token === undefined) return undefined;
    tokens.push(isPattern || token.startsWith('"') ? '""' : token === ">>" ? ">" : token);
    rest = rest.slice(token.length);
  }
}
