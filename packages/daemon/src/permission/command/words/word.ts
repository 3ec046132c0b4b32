import { computesNumbers, isNumericTerm } from "./arithmetic.ts";
import { withoutAffix } from "./without-affix.ts";
import type { ParameterExpansionPart, ParameterOperation, Script, Word as Node, WordPart } from "../shell/parse.ts";

/**
 * The facts about one word before it runs. `literal`: exactly this text. If `written` is set, the gate knows only the form of the text (a
 * number or the name of a commit). Then `text` is an example, and `written` is the source of the word. If the command that prints it fails, the
 * text is only `emptied`, and with `vanishes` there is no word. With `several` there may be more words of the same form. `pattern`: the names of
 * files that match, with `*` for every wildcard, and `written` with those of the source. `names` has them if a loop has found them at its start,
 * and is empty if they are too many. `isOne`: the word is one of them. `loop`: the words of the loop from which they are. `open`: known only when
 * it runs. The word surely begins with `prefix`, and `single` says that it stays one word.
 */
export type Word =
  | {
      kind: "literal";
      text: string;
      written?: string;
      vanishes?: boolean | undefined;
      emptied?: string | undefined;
      several?: boolean | undefined;
    }
  | {
      kind: "pattern";
      text: string;
      names?: readonly string[] | undefined;
      isOne?: boolean;
      loop?: Word | undefined;
      written?: string | undefined;
    }
  | { kind: "open"; text: string; prefix: string; single: boolean };

/** The context in which the gate reads a word: the variables with a certain value, and callbacks for commands inside the word. */
export type WordContext = {
  variables: Pick<ReadonlyMap<string, Word>, "get">;
  /** Returns an example if a variable holds a number everywhere in the script. */
  isNumber: (name: string) => Value | undefined;
  /** True if a text in the brackets of a list is only a place or a name, whether the shell computes with it or not. */
  isPlace?: (text: string) => boolean;
  /** True if a pattern matches names that the shell splits or expands again when they are not quoted. */
  isSplit?: (pattern: string) => boolean;
  /** Called for a script that runs inside the word, or beside the command. Returns its output, if that is known. */
  inner: (script: Script | undefined, isParallel?: boolean) => Value | undefined;
  /** Called if the gate cannot judge the word. `why` gives the reason. */
  doubt: (why: string) => void;
};

/** A text, or an example of a text with the same form. `several`: there may be more lines of that form. `isSure`: it is never empty. */
export type Value = { text: string; isExample?: boolean; several?: boolean; isSure?: boolean };

/** Any number that a script computes or counts. */
export const aNumber: Value = { text: "4321", isExample: true };

/** The number of a process, which is neither 0 nor negative. */
export const aProcess: Value = { text: "54321", isExample: true };

/** An example of the name of a commit that a program prints. */
export const A_COMMIT = "5f7e9d1c3b2a4f6e8d0c1b3a5f7e9d1c3b2a4f6e";

export const literal = (text: string): Word => ({ kind: "literal", text });

/** A word in which the name of a commit takes the place of each `sign`. */
export const commitIn = (text: string, sign = text): Word => ({ kind: "literal", text: text.replaceAll(sign, A_COMMIT), written: text });

/** A part of a word. Of an example or a pattern, a part is one as well. */
export const partOf = (word: Word, text: string): Word =>
  word.kind === "pattern" ? { kind: "pattern", text } : word.kind === "literal" ? { ...word, text, emptied: undefined } : literal(text);

/** True if the known text of one of the words matches. */
export const anyMatches = (words: readonly Word[], pattern: RegExp): boolean =>
  words.some((word) => word.kind !== "open" && pattern.test(word.text));

/** Reads one word of the source. It may become several words, as `src/{a,b}.ts` does. */
export function readWord(node: Node, reading: WordContext): Word[] {
  const list = listIn(node, reading);
  if (list) return list;
  const parts: readonly WordPart[] = node.parts ?? [{ type: "Literal", pos: node.pos, end: node.end, text: node.text, value: node.value }];
  const pieces = parts.map((part, i) => piecesOf(part, parts[i - 1], parts[i + 1], reading));
  const isLong = pieces.reduce((count, { length }) => count * length, 1) > MAX_WORDS;
  const why = misreads(node) ?? (isLong ? "makes more words than can be judged" : undefined);
  if (why !== undefined) {
    reading.doubt(why);
    return [{ kind: "open", text: node.text, prefix: "", single: false }];
  }
  const words = pieces.reduce((all, more) => all.flatMap((word) => more.map((piece) => joined(word, piece))), [EMPTY]);
  const mayVanish = parts.some(({ type }) => type === "BraceExpansion") && !parts.some(({ type }) => QUOTED.test(type));
  return words.filter(({ open, text }) => !mayVanish || open || text !== "").map((word) => finished(word, node));
}

/** Returns the elements of a list, if the word is nothing but `"${name[@]}"` or `"$@"`. Without quotes, the shell may split them. */
function listIn({ parts: [only, ...more] = [] }: Node, { variables }: WordContext): Word[] | undefined {
  const part = only?.type === "DoubleQuoted" && only.parts.length === 1 ? only.parts[0] : only;
  if (more.length === 0 && part !== only && part?.type === "SimpleExpansion" && part.text === "$@") {
    const count = variables.get(ARGUMENTS);
    return count && Array.from({ length: Number(count.text) }, (_, i) => variables.get(String(i + 1)) ?? literal(""));
  }
  if (more.length > 0 || part?.type !== "ParameterExpansion" || part.operation || part.prefix || part.index?.text !== "@") return undefined;
  const count = variables.get(`${part.parameter}[@]`);
  if (count?.kind === "pattern") return part !== only || count.names?.every((name) => UNSPLIT.test(name)) ? [count] : undefined;
  const words = count && Array.from({ length: Number(count.text) }, (_, i) => variables.get(`${part.parameter}[${i}]`) ?? literal(""));
  return words?.every(({ text }) => part !== only || UNSPLIT.test(text)) === true ? words : undefined;
}

/** The name under which the number of the arguments of a function is known. */
export const ARGUMENTS = "@[@]";

/** Parts that leave a word even if they are empty. An empty word of `{,x}` is no word. */
const QUOTED = /^(SingleQuoted|DoubleQuoted|AnsiCQuoted|LocaleString)$/;

/** Returns why bash may see other parts in a word than the parser. */
function misreads({ text, parts }: Node): string | undefined {
  if (/\$\w+\\\n/.test(text)) return "continues the name of a variable in the next line";
  if (!/,|\.\./.test(text.slice(text.indexOf("{"), text.lastIndexOf("}") + 1))) return undefined;
  const plain = parts === undefined ? [text] : parts.map((part) => (part.type === "Literal" ? part.text : ""));
  // After a brace that stands alone, bash may find the end of a list at a place where the parser does not.
  return plain.some((each) => /(?<!\\)(\\\\)*\{(?!\})/.test(each)) ? "has braces that cannot be read" : undefined;
}

const MAX_WORDS = 64;
/** The limit for the text of a word. A variable that contains another one several times doubles with each step. */
const MAX_CHARACTERS = 10_000;

/** The beginning of the file name that replaces `<(...)`. The file holds the output of the commands and belongs to nobody. */
export const PIPE = "/dev/fd/";

/**
 * The known facts about a part of a word, or about several parts together. If it is `open`, it surely begins with `text`. `split`: it may become
 * several words. `vanishes`: without quotes, it may leave no word. `emptied`: its text if all examples in it are empty. `names`: its texts for
 * the names that a loop has found. `found`: the variable of the loop. `written`: a pattern as it is in the source.
 */
type Piece = { text: string; names?: readonly string[] | undefined; found?: Word | undefined } & Partial<
  Record<"written" | "emptied", string | undefined> &
    Record<"pattern" | "open" | "isExample" | "vanishes" | "several" | "split", boolean | undefined>
>;

const EMPTY: Piece = { text: "", vanishes: true };
const OPEN: Piece = { text: "", open: true };
const SPLIT: Piece = { text: "", open: true, split: true };

function joined(word: Piece, piece: Piece): Piece {
  const isLong = word.text.length + piece.text.length > MAX_CHARACTERS;
  const isOther = word.found !== undefined && piece.found !== undefined && word.found !== piece.found;
  const behind = (name: string, i: number) => name + (piece.names?.[i] ?? piece.text);
  return {
    text: word.open || isLong ? word.text : word.text + piece.text,
    written: (word.written ?? word.text) + (piece.written ?? piece.text),
    pattern: word.pattern || piece.pattern,
    open: word.open || piece.open || isOther || isLong,
    isExample: word.isExample || piece.isExample,
    vanishes: word.vanishes && piece.vanishes,
    emptied: (word.emptied ?? word.text) + (piece.emptied ?? piece.text),
    several: word.several || piece.several,
    split: word.split || piece.split,
    names: word.names?.map(behind) ?? piece.names?.map((name) => word.text + name),
    found: word.found ?? piece.found,
  };
}

function finished({ text, written, pattern, open, isExample, vanishes, emptied, several, split, names, found }: Piece, node: Node): Word {
  const isUnsure = found !== undefined && names === undefined && text !== found.text; // other files may have come to the loop's folder
  if (open || (pattern && isExample) || isUnsure)
    return { kind: "open", text: node.text, prefix: isExample ? "" : text, single: split !== true };
  if (pattern) return { kind: "pattern", text, written, names, isOne: text === found?.text && ONE.test(node.text), loop: found };
  return isExample
    ? { kind: "literal", text, written: node.text, vanishes, emptied: emptied === text ? undefined : emptied, several }
    : literal(text);
}

/** A word that is nothing but a variable in quotes. */
const ONE = /^"\$(\w+|\{\w+\})"$/;

function piecesOf(part: WordPart, before: WordPart | undefined, after: WordPart | undefined, reading: WordContext): Piece[] {
  switch (part.type) {
    case "Literal": {
      const mayExpand = before === undefined || /[=:]~/.test(part.text);
      const text = mayExpand ? withHome(part, reading) : part.value;
      return [text === undefined || (part.text.startsWith("~") && mayBeHome(part, before, after)) ? OPEN : { text }];
    }
    case "SingleQuoted":
      return [{ text: part.value }];
    case "AnsiCQuoted":
      return [ODD_ESCAPE.test(part.text) ? OPEN : { text: part.value }];
    case "LocaleString":
      reading.doubt("translates text");
      return [OPEN];
    case "DoubleQuoted": {
      const pieces = part.parts.map((each) => (each.type === "Literal" ? { text: each.value } : expanded(each, reading, true)));
      return [{ ...pieces.reduce(joined, EMPTY), vanishes: false, several: false }];
    }
    case "Glob":
      if (part.kind === "bracket" && part.parts.some(({ type }) => type !== "Literal"))
        reading.doubt("has a pattern with something to expand in it");
      // `a[1]` may also be the name of a file, and `?` is a byte for some shells.
      return [{ text: part.value.startsWith("*") ? part.value : "*", written: part.text, pattern: true }];
    case "SimpleExpansion":
      // The shell expands braces first: `$x{1,2}` is `$x1 $x2`.
      return [after?.type === "BraceExpansion" ? SPLIT : expanded(part, reading, false)];
    case "ParameterExpansion":
    case "CommandExpansion":
    case "ArithmeticExpansion":
      return [expanded(part, reading, false)];
    case "ProcessSubstitution":
      reading.inner(part.script, true);
      return [{ text: part.operator === "<" ? PIPE : "", open: true }];
    case "ExtendedGlob":
      reading.doubt("uses an extended pattern");
      return [SPLIT];
    case "BraceExpansion": {
      const list = braces(part.text);
      if (!list) reading.doubt("has braces that cannot be read");
      return list?.map((text) => ({ text })) ?? [SPLIT];
    }
  }
}

/** Returns plain text with the home folder in the place of `~`. Undefined if `~` may be another folder. */
function withHome({ text, value }: Pick<Node, "text" | "value">, { variables }: WordContext): string | undefined {
  const home = variables.get("HOME");
  if (!/(^|[=:])~/.test(text)) return value;
  return /^~(\/|$)/.test(text) && !/[=:]~/.test(text) && home?.kind === "literal" ? home.text + value.slice(1) : undefined;
}

/**
 * True if it is not clear whether `~` at the start of this part is the home folder. In `{,x}~/y` it is, because the shell expands braces
 * first. In `~"/y"` and `'x'~` it is a plain character.
 */
const mayBeHome = ({ text }: WordPart, before: WordPart | undefined, after: WordPart | undefined): boolean =>
  before === undefined ? text === "~" && after !== undefined : before.type === "BraceExpansion" || before.type === "Literal";

/** An escape that ends the text, makes only a part of a character, or that the parser and bash may read in different ways. */
const ODD_ESCAPE = /\\(x[089a-f{]|0|[2-7][0-7][0-7]|u0|ud[89a-f]|c|\n)/i;

type Expansion = Extract<WordPart, { type: "SimpleExpansion" | "ParameterExpansion" | "CommandExpansion" | "ArithmeticExpansion" }>;

function expanded(part: Expansion, reading: WordContext, isQuoted: boolean): Piece {
  switch (part.type) {
    case "SimpleExpansion":
      return variable(part.text.slice(1), reading, isQuoted);
    case "ParameterExpansion":
      return parameter(part, reading, isQuoted);
    case "CommandExpansion": {
      const value = reading.inner(part.script);
      const text = value?.text.replace(/\n+$/, "") ?? "";
      if (!value || (!isQuoted && !UNSPLIT.test(text))) return isQuoted ? OPEN : SPLIT;
      return { ...value, text, vanishes: value.isExample, emptied: value.isExample && !value.isSure ? "" : undefined };
    }
    case "ArithmeticExpansion":
      if (computesNumbers(part.expression, reading)) return aNumber;
      reading.doubt("computes with variables");
      return OPEN;
  }
}

/** Text that the shell neither splits into words nor reads as a pattern. */
const UNSPLIT = /^[\w./,@%+=:^-][\w./,@%+=:~^-]*$/;

/** Returns the value of a variable, if the value is certain and the shell would not split it into words. */
function variable(name: string, { variables, isNumber, isSplit }: WordContext, isQuoted: boolean): Piece {
  const value = variables.get(name);
  if (/^[?#$]$/.test(name)) return name === "$" ? aProcess : aNumber;
  const number = name === "!" ? aProcess : value ? undefined : isNumber(name);
  if (number) return { ...number, vanishes: true, emptied: "" };
  if (!value || value.kind === "open") return isQuoted && name !== "@" ? OPEN : SPLIT;
  const text = value.kind === "pattern" ? value.text.replaceAll(/[*?]/g, "") || "a" : value.text;
  if (!isQuoted && !UNSPLIT.test(text)) return SPLIT;
  if (value.kind === "literal")
    return value.written === undefined
      ? { text }
      : { text, isExample: true, vanishes: true, emptied: value.emptied, several: value.several };
  return !isQuoted && isSplit?.(value.text) ? SPLIT : { text: value.text, pattern: true, names: value.names, found: value };
}

function parameter(part: ParameterExpansionPart, reading: WordContext, isQuoted: boolean): Piece {
  const { operation, prefix, index, parameter } = part;
  const open = isQuoted && parameter !== "@" ? OPEN : SPLIT; // `"${@:1}"` may be several words
  const isOne = index !== undefined && !/^[@*]$/.test(index.text);
  if ((isOne && reading.isPlace?.(index.text) !== true) || prefix === "!" || parameter === "") {
    reading.doubt("reads a variable that another one names");
    return open;
  }
  if (prefix === "#" && operation === undefined) return aNumber;
  if (parameter === "PIPESTATUS" && operation === undefined && prefix === undefined)
    return { ...aNumber, split: !isOne, vanishes: true, emptied: "" };
  if (index !== undefined) {
    if (operation) readOperation(operation, reading);
    const element = `${parameter}[${index.text}]`;
    if (isOne && !operation && reading.variables.get(element)) return variable(element, reading, isQuoted);
    return isOne ? open : SPLIT; // `${list[@]}` may be several words
  }
  if (operation === undefined) return variable(parameter, reading, isQuoted);
  readOperation(operation, reading);
  const text = operation.type === "Remove" ? withoutAffix(reading.variables.get(parameter), operation) : undefined;
  return text === undefined || (!isQuoted && !UNSPLIT.test(text)) ? open : { text };
}

/** Judges what is written behind the name in `${name:-word}`, `${list[@]:n}` and the like. */
function readOperation(operation: ParameterOperation, reading: WordContext): void {
  switch (operation.type) {
    case "Default":
    case "Remove":
    case "CaseModification":
      if (operation.type === "Default" && operation.operator.includes("=")) reading.doubt("sets a variable on the way");
      if (operation.operand) readWord(operation.operand, reading);
      return;
    case "Replace":
      readWord(operation.pattern, reading);
      readWord(operation.replacement, reading);
      return;
    case "Slice":
      for (const variables of [operation.offset, operation.length])
        if (variables && !isNumericTerm(variables.text, reading)) reading.doubt("computes with variables");
      return;
    case "Transform":
    case "Names":
    case "Unknown":
      reading.doubt("evaluates the value of a variable");
  }
}

/** Returns the texts of lists and what is around them: four for `{a,b}/{c,d}`, and three for `{a,b/{c,d}}`. */
function spread(text: string): string[] | undefined {
  const open = text.indexOf("{");
  if (open < 0) return /^([\w./@+-]|\\ )*$/.test(text) ? [text.replaceAll("\\ ", " ")] : undefined;
  const items: string[] = [];
  let [depth, start] = [0, open + 1];
  for (let at = open; at < text.length && (depth > 0 || at === open); at++) {
    depth += text[at] === "{" ? 1 : text[at] === "}" ? -1 : 0;
    if (depth > 0 && (depth > 1 || text[at] !== ",")) continue;
    items.push(text.slice(start, at));
    start = at + 1;
  }
  const [before, after, all] = [spread(text.slice(0, open)), spread(text.slice(start)), items.map(spread)];
  if (depth > 0 || items.length < 2 || !before || !after || all.includes(undefined)) return undefined;
  const texts = all.flatMap((each = []) => each.flatMap((item) => after.map((rest) => `${before[0]}${item}${rest}`)));
  return texts.length <= MAX_WORDS ? texts : undefined;
}

/** Expands `{a,b}` and `{1..3}` to words. Returns undefined for anything nested, quoted or long. */
export function braces(text: string): string[] | undefined {
  const list = spread(text);
  if (list !== undefined) return list;
  const [, first = "", last = ""] =
    /^\{([a-z]|[A-Z]|\d{1,3})\.\.((?:(?<=[a-z]\.\.)[a-z]|(?<=[A-Z]\.\.)[A-Z]|(?<=\d\.\.)\d{1,3}))\}$/.exec(text) ?? [];
  const [from, to] = /\d/.test(first) ? [Number(first), Number(last)] : [first.charCodeAt(0), last.charCodeAt(0)];
  const width = [first, last].some((each) => /^0\d/.test(each)) ? Math.max(first.length, last.length) : 0;
  const nth = (_: unknown, i: number) => (/\d/.test(first) ? String(from + i).padStart(width, "0") : String.fromCharCode(from + i));
  return to >= from && to - from < MAX_WORDS ? Array.from({ length: to - from + 1 }, nth) : undefined;
}

/** Returns the text of a call in the form that rules use. */
export const textOfAll = (words: readonly Word[]): string =>
  words.map((word) => (word.kind === "open" ? word.text : (word.written ?? word.text))).join(" ");

/** True if the word has exactly one possible text. */
export const isCertain = (word: Word): boolean => word.kind === "literal" && word.written === undefined;
