import { computesNumbers, isNumericTerm } from "./arithmetic.ts";
import type { ArithmeticExpression, ParameterExpansionPart, ParameterOperation, Script, Word as Node, WordPart } from "../shell/parse.ts";

/**
 * The facts about one word before it runs. `literal`: exactly this text. If `written` is set, the gate knows only the form of the text (a
 * number or the name of a commit). Then `text` is an example, and `written` is the source of the word. With `vanishes` there may be no word
 * at all, if the command that prints it fails. With `several` there may be more words of the same form. `pattern`: the names of files that
 * match. `names` has them if a loop has found them at its start. It is empty if they are too many. `isOne`: the word is one of them. `open`:
 * known only when it runs. The word surely begins with `prefix`, and `single` says that it stays one word.
 */
export type Word =
  | { kind: "literal"; text: string; written?: string; vanishes?: true; several?: true | undefined }
  | { kind: "pattern"; text: string; names?: readonly string[] | undefined; isOne?: true }
  | { kind: "open"; text: string; prefix: string; single: boolean };

/** The context in which the gate reads a word: the variables with a certain value, and callbacks for commands inside the word. */
export type WordContext = {
  variables: Pick<ReadonlyMap<string, Word>, "get">;
  /** Returns an example if a variable holds a number everywhere in the script. */
  isNumber: (name: string) => Value | undefined;
  /** True if a pattern matches names that the shell splits or expands again when they are not quoted. */
  isSplit?: (pattern: string) => boolean;
  /** Called for a script that runs inside the word. Returns its output, if that is known. */
  inner: (script: Script | undefined) => Value | undefined;
  /** Called if the gate cannot judge the word. `why` gives the reason. */
  doubt: (why: string) => void;
};

/** A text, or an example of a text with the same form. `several`: there may be more lines of that form. */
export type Value = { text: string; isExample?: true; several?: true };

/** Marks a value that may be empty. Without quotes, an empty value leaves no word. */
const VANISHES = { vanishes: true } as const;

/** Any number that a script computes or counts. */
export const aNumber: Value = { text: "4321", isExample: true };

/** The number of a process, which is neither 0 nor negative. */
export const aProcess: Value = { text: "54321", isExample: true };

/** An example of the name of a commit that a program prints. */
export const A_COMMIT = "5f7e9d1c3b2a4f6e8d0c1b3a5f7e9d1c3b2a4f6e";

/**
 * An example of the name of a branch or tag. Such a name can contain characters that have a meaning in a script, and it can be
 * the path of a file. So it is only known where git reads it as a revision.
 */
export const A_REF = "v1.2.3-ref";

export const literal = (text: string): Word => ({ kind: "literal", text });

/** A part of a word. Of an example or a pattern, a part is one as well. */
export const partOf = (word: Word, text: string): Word =>
  word.kind === "pattern" ? { kind: "pattern", text } : word.kind === "literal" ? { ...word, text } : literal(text);

/** True if the known text of one of the words matches. */
export const anyMatches = (words: readonly Word[], pattern: RegExp): boolean =>
  words.some((word) => word.kind !== "open" && pattern.test(word.text));

/** Reads one word of the source. It may become several words, as `src/{a,b}.ts` does. */
export function readWord(node: Node, reading: WordContext): Word[] {
  const misread = misreads(node);
  if (misread !== undefined) {
    reading.doubt(misread);
    readParts(node, reading);
    return [{ kind: "open", text: node.text, prefix: "", single: false }];
  }
  if (/[*?[]/.test(node.text) === false && node.parts === undefined) return [withTilde(node, reading)];
  const list = listIn(node, reading);
  if (list) return list;
  const parts: readonly WordPart[] = node.parts ?? [{ type: "Literal", pos: node.pos, end: node.end, text: node.text, value: node.value }];
  let words: Draft[] = [EMPTY];
  for (const [i, part] of parts.entries()) {
    const pieces = piecesOf(part, parts[i - 1], parts[i + 1], reading);
    words = words.flatMap((word) => pieces.map((piece) => joined(word, piece)));
    if (words.length <= MAX_WORDS) continue;
    reading.doubt("makes more words than can be judged");
    return [{ kind: "open", text: node.text, prefix: "", single: false }];
  }
  const mayVanish = parts.some(({ type }) => type === "BraceExpansion") && !parts.some(({ type }) => QUOTED.test(type));
  return words.filter((word) => !mayVanish || word.open || word.value !== "").map((draft) => finished(draft, node));
}

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

/** Judges the commands inside a word. */
function readParts({ parts }: Node, reading: WordContext): void {
  for (const [i, part] of (parts ?? []).entries()) piecesOf(part, parts?.[i - 1], parts?.[i + 1], reading);
}

/** Returns the words of `"${list[@]}"`, if each item of the list is known. */
function listIn({ text }: Node, { variables }: WordContext): Word[] | undefined {
  const [, name] = /^"\$\{(\w+)\[@\]\}"$/.exec(text) ?? [];
  if (name === undefined || !variables.get(`${name}[0]`)) return undefined;
  const words: Word[] = [];
  for (let word = variables.get(`${name}[0]`); word; word = variables.get(`${name}[${words.length}]`)) words.push(word);
  return words;
}

const MAX_WORDS = 64;

/** The beginning of the file name that replaces `<(...)`. The file holds the output of the commands and belongs to nobody. */
export const PIPE = "/dev/fd/";

type Draft = {
  value: string;
  pattern: boolean;
  open: boolean;
  isExample: boolean;
  isSolid: boolean;
  several?: true;
  prefix: string;
  single: boolean;
  /** The texts of the word for the names that a loop has found. `found`: the variable of the loop. */
  names?: readonly string[] | undefined;
  found?: Word | undefined;
};
type Piece = Value & { pattern?: true; open?: true; split?: true; vanishes?: true; names?: Draft["names"]; found?: Draft["found"] };

const EMPTY: Draft = { value: "", pattern: false, open: false, isExample: false, isSolid: false, prefix: "", single: true };

function joined(word: Draft, piece: Piece): Draft {
  const isOther = word.found !== undefined && piece.found !== undefined && word.found !== piece.found;
  const behind = (name: string, i: number) => name + (piece.names?.[i] ?? piece.text);
  return {
    value: word.value + piece.text,
    names: word.names?.map(behind) ?? piece.names?.map((name) => word.value + name),
    found: word.found ?? piece.found,
    pattern: word.pattern || piece.pattern === true,
    open: word.open || piece.open === true || isOther,
    isExample: word.isExample || piece.isExample === true,
    isSolid: word.isSolid || piece.vanishes !== true,
    ...(word.several || piece.several ? { several: true } : {}),
    prefix: word.open ? word.prefix : word.prefix + piece.text,
    single: word.single && piece.split !== true,
  };
}

function finished({ value, pattern, open, isExample, isSolid, several, prefix, single, names, found }: Draft, node: Node): Word {
  const isUnsure = found !== undefined && names === undefined && value !== found.text; // other files may have come to the loop's folder
  if (open || (pattern && isExample) || isUnsure) return { kind: "open", text: node.text, prefix: isExample ? "" : prefix, single };
  if (pattern) return { kind: "pattern", text: value, names, ...(value === found?.text && ONE.test(node.text) ? { isOne: true } : {}) };
  if (!isExample) return { kind: "literal", text: value };
  return { kind: "literal", text: value, written: node.text, ...(isSolid ? {} : VANISHES), ...(several ? { several } : {}) };
}

/** A word that is nothing but a variable in quotes. */
const ONE = /^"\$(\w+|\{\w+\})"$/;

function withTilde({ text, value }: Node, { variables }: WordContext): Word {
  const home = variables.get("HOME");
  if (!/~/.test(text)) return literal(value);
  if (/^~(\/|$)/.test(text) && !/[=:]~/.test(text) && home?.kind === "literal") return literal(home.text + value.slice(1));
  return /(^|[=:])~/.test(text) ? { kind: "open", text, prefix: "", single: true } : literal(value);
}

function piecesOf(part: WordPart, before: WordPart | undefined, after: WordPart | undefined, reading: WordContext): Piece[] {
  switch (part.type) {
    case "Literal": {
      if (part.text.startsWith("~") && mayBeHome(part, before, after)) return [{ text: "", open: true }];
      const mayExpand = before === undefined || /[=:]~/.test(part.text);
      const word = mayExpand ? withTilde({ ...part, type: "Word" } as unknown as Node, reading) : literal(part.value);
      return [word.kind === "literal" ? { text: word.text } : { text: "", open: true }];
    }
    case "SingleQuoted":
      return [{ text: part.value }];
    case "AnsiCQuoted":
      return [ODD_ESCAPE.test(part.text) ? { text: "", open: true } : { text: part.value }];
    case "LocaleString":
      reading.doubt("translates text");
      return [{ text: "", open: true }];
    case "DoubleQuoted":
      return [quoted(part.parts, reading)];
    case "Glob":
      if (part.kind === "bracket" && part.parts.some(({ type }) => type !== "Literal"))
        reading.doubt("has a pattern with something to expand in it");
      return [{ text: part.kind === "bracket" ? "?" : part.value, pattern: true }];
    case "SimpleExpansion":
      // The shell expands braces first: `$x{1,2}` is `$x1 $x2`.
      return [after?.type === "BraceExpansion" ? { text: "", open: true, split: true } : variable(part.text.slice(1), reading, false)];
    case "ParameterExpansion":
      return [parameter(part, reading, false)];
    case "CommandExpansion": {
      const value = trimmed(reading.inner(part.script));
      return [
        value && UNSPLIT.test(value.text) ? { ...value, ...(value.isExample ? VANISHES : {}) } : { text: "", open: true, split: true },
      ];
    }
    case "ProcessSubstitution":
      reading.inner(part.script);
      return [{ text: part.operator === "<" ? PIPE : "", open: true }];
    case "ArithmeticExpansion":
      return [computed(part.expression, reading)];
    case "ExtendedGlob":
      reading.doubt("uses an extended pattern");
      return [{ text: "", open: true, split: true }];
    case "BraceExpansion": {
      const list = braces(part.text);
      if (!list) reading.doubt("has braces that cannot be read");
      return list ? list.map((text) => ({ text })) : [{ text: "", open: true, split: true }];
    }
  }
}

/**
 * True if it is not clear whether `~` at the start of this part is the home folder. In `{,x}~/y` it is, because the shell expands braces
 * first. In `~"/y"` and `'x'~` it is a plain character.
 */
const mayBeHome = ({ text }: WordPart, before: WordPart | undefined, after: WordPart | undefined): boolean =>
  before === undefined ? text === "~" && after !== undefined : before.type === "BraceExpansion" || before.type === "Literal";

/** An escape that ends the text, makes only a part of a character, or that the parser and bash may read in different ways. */
const ODD_ESCAPE = /\\(x[089a-f{]|0|[2-7][0-7][0-7]|u0|ud[89a-f]|c)/i;

type Quoted = Extract<WordPart, { type: "DoubleQuoted" }>["parts"];

function quoted(parts: Quoted, reading: WordContext): Piece {
  const pieces = parts.map((part): Piece => {
    switch (part.type) {
      case "Literal":
        return { text: part.value };
      case "SimpleExpansion":
        return variable(part.text.slice(1), reading, true);
      case "ParameterExpansion":
        return parameter(part, reading, true);
      case "CommandExpansion":
        return trimmed(reading.inner(part.script)) ?? { text: "", open: true };
      case "ArithmeticExpansion":
        return computed(part.expression, reading);
    }
  });
  const { value, open, single, isExample, pattern, prefix, names, found } = pieces.reduce(joined, EMPTY);
  return {
    text: open ? prefix : value,
    ...(open ? { open } : {}),
    ...(single ? {} : { split: true as const }),
    ...(isExample ? { isExample } : {}),
    ...(pattern ? { pattern, names, found } : {}),
  };
}

/** Removes trailing line ends, as the shell does. */
const trimmed = (value: Value | undefined): Value | undefined => value && { ...value, text: value.text.replace(/\n+$/, "") };

function computed(expression: ArithmeticExpression | undefined, reading: WordContext): Piece {
  if (computesNumbers(expression, reading)) return aNumber;
  reading.doubt("computes with variables");
  return { text: "", open: true };
}

/** Text that the shell neither splits into words nor reads as a pattern. */
const UNSPLIT = /^[\w./,@%+=:^-][\w./,@%+=:~^-]*$/;

/** Returns the value of a variable, if the value is certain and the shell would not split it into words. */
function variable(name: string, { variables, isNumber, isSplit }: WordContext, isQuoted: boolean): Piece {
  const value = variables.get(name);
  if (/^[?#$]$/.test(name)) return name === "$" ? aProcess : aNumber;
  const number = name === "!" ? aProcess : value ? undefined : isNumber(name);
  if (number) return isQuoted ? { text: number.text, isExample: true } : { ...number, ...VANISHES };
  if (!value || value.kind === "open") return { text: "", open: true, ...(isQuoted && name !== "@" ? {} : { split: true as const }) };
  if (!isQuoted && !UNSPLIT.test(value.kind === "pattern" ? value.text.replaceAll(/[*?]/g, "") || "a" : value.text))
    return { text: "", open: true, split: true };
  if (value.kind === "pattern" && !isQuoted && isSplit?.(value.text)) return { text: "", open: true, split: true };
  if (value.kind === "pattern") return { text: value.text, pattern: true, names: value.names, found: value };
  if (value.written === undefined) return { text: value.text };
  return { text: value.text, isExample: true, ...(isQuoted ? {} : { ...VANISHES, ...(value.several ? { several: true } : {}) }) };
}

function parameter(part: ParameterExpansionPart, reading: WordContext, isQuoted: boolean): Piece {
  const { operation, prefix, index, parameter } = part;
  const name = index && /^\d+$/.test(index.text) ? `${parameter}[${index.text}]` : parameter;
  const open: Piece = { text: "", open: true, ...(isQuoted ? {} : { split: true as const }) };
  if ((index !== undefined && !/^(\d{1,6}|[@*])$/.test(index.text)) || prefix === "!" || parameter === "") {
    reading.doubt("reads a variable that another one names");
    return open;
  }
  if (prefix === "#" && operation === undefined) return aNumber;
  if (parameter === "PIPESTATUS" && operation === undefined && prefix === undefined)
    return { ...aNumber, ...(name === parameter ? { split: true } : {}) };
  if (index !== undefined && name === parameter) {
    if (operation) readOperation(operation, reading);
    return { ...open, split: true }; // `${list[@]}` may be several words
  }
  if (operation === undefined) return variable(name, reading, isQuoted);
  const value = changedValue(reading.variables.get(name), operation, reading);
  if (value !== undefined) return variable(name, { ...reading, variables: { get: () => literal(value) } }, isQuoted);
  readOperation(operation, reading);
  return open;
}

/** Judges what is written behind the name in `${name:-word}`, `${list[@]:n}` and the like. */
function readOperation(operation: ParameterOperation, reading: WordContext): void {
  switch (operation.type) {
    case "Default":
      if (operation.operator.includes("=")) reading.doubt("sets a variable on the way");
      readWord(operation.operand, reading);
      return;
    case "Remove":
      readWord(operation.operand, reading);
      return;
    case "Replace":
      readWord(operation.pattern, reading);
      readWord(operation.replacement, reading);
      return;
    case "Slice":
      for (const variables of [operation.offset, operation.length])
        if (variables && !isNumericTerm(variables.text, reading)) reading.doubt("computes with variables");
      return;
    case "CaseModification":
      if (operation.operand) readWord(operation.operand, reading);
      return;
    case "Transform":
    case "Names":
    case "Unknown":
      reading.doubt("evaluates the value of a variable");
  }
}

/** Returns the value of `${f%.js}`, `${f#src/}`, `${f/a/b}` or `${f,,}`, if `$f` is certain. Source: "Parameter Expansion" in bash(1). */
function changedValue(word: Word | undefined, operation: ParameterOperation, reading: WordContext): string | undefined {
  if (word?.kind !== "literal" || word.written !== undefined) return undefined;
  const { text } = word;
  if (operation.type === "Remove") {
    const pattern = patternOf(operation.operand);
    const isFront = operation.operator.startsWith("#");
    const lengths = Array.from({ length: text.length + 1 }, (_, i) => (operation.operator.length === 2 ? text.length - i : i));
    const part = (length: number) => (isFront ? text.slice(0, length) : text.slice(text.length - length));
    const length = lengths.find((each) => pattern?.test(part(each))) ?? 0;
    return pattern && (isFront ? text.slice(length) : text.slice(0, text.length - length));
  }
  if (operation.type === "Replace") {
    const [from, to] = [operation.pattern, operation.replacement].map((node) => plainOf(node, reading));
    if (from === undefined || from === "" || to === undefined || /[#%]/.test(operation.operator)) return undefined;
    return operation.operator === "//" ? text.replaceAll(from, () => to) : text.replace(from, () => to);
  }
  if (operation.type !== "CaseModification" || operation.operand !== undefined || /[^ -~]/.test(text)) return undefined;
  return operation.operator === ",," ? text.toLowerCase() : operation.operator === "^^" ? text.toUpperCase() : undefined;
}

/** Returns the text of a word that is certain and not a pattern. */
function plainOf(node: Node, reading: WordContext): string | undefined {
  const [word, ...more] = readWord(node, reading);
  return word?.kind === "literal" && word.written === undefined && more.length === 0 && !/[&\\*?[]/.test(node.text) ? word.text : undefined;
}

/** Turns a shell pattern into a regular expression for a whole text. Returns undefined if it contains brackets, quotes or an expansion. */
const patternOf = ({ text }: Node): RegExp | undefined =>
  /^[\w./*?@%+=:,-]+$/.test(text)
    ? new RegExp(`^${text.replaceAll(/[.+]/g, "\\$&").replaceAll("*", "[^]*").replaceAll("?", "[^]")}$`)
    : undefined;

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
function braces(text: string): string[] | undefined {
  const list = spread(text);
  if (list !== undefined) return list;
  const [, first, last] = /^\{([a-z])\.\.([a-z])\}$/.exec(text) ?? [];
  if (first !== undefined && last !== undefined && first <= last)
    return Array.from({ length: last.charCodeAt(0) - first.charCodeAt(0) + 1 }, (_, i) => String.fromCharCode(first.charCodeAt(0) + i));
  const [, from, to] = /^\{(\d{1,3})\.\.(\d{1,3})\}$/.exec(text) ?? [];
  if (from === undefined || to === undefined || /^0\d/.test(from + to)) return undefined;
  const [start, step] = [Number(from), Number(from) > Number(to) ? -1 : 1];
  const length = Math.abs(start - Number(to)) + 1;
  return length <= MAX_WORDS ? Array.from({ length }, (_, i) => String(start + step * i)) : undefined;
}

/** Returns the text of a call in the form that rules use. */
export const textOfAll = (words: readonly Word[]): string =>
  words.map((word) => (word.kind === "literal" ? (word.written ?? word.text) : word.text)).join(" ");

/** True if the word has exactly one possible text. */
export const isCertain = (word: Word): boolean => word.kind === "literal" && word.written === undefined;
