import type { ParameterExpansionPart, Script, Word as Node, WordPart } from "./parse.ts";

/**
 * What is known of one word before it runs. `literal`: exactly this text. `pattern`: the names of files that match.
 * `open`: known only when it runs; `prefix` is how it surely begins, and `single` says that it stays one word.
 */
export type Word =
  | { kind: "literal"; text: string }
  | { kind: "pattern"; text: string }
  | { kind: "open"; text: string; prefix: string; single: boolean };

/** What a word is read with: variables of which the value is sure, and whom to tell of what runs inside of it. */
export type Reading = {
  bound: Pick<ReadonlyMap<string, Word>, "get">;
  /** A script runs inside of the word. Answers the text it surely prints, if that is known. */
  inner: (script: Script | undefined) => string | undefined;
  /** The word does what cannot be judged: `why` says what. */
  doubt: (why: string) => void;
};

export const literal = (text: string): Word => ({ kind: "literal", text });

/** Whether one of them, as far as it is known, is like this. */
export const has = (words: readonly Word[], pattern: RegExp): boolean =>
  words.some((word) => word.kind !== "open" && pattern.test(word.text));

/** One word as written may become several: `src/{a,b}.ts`. */
export function readWord(node: Node, reading: Reading): Word[] {
  if (/[*?[]/.test(node.text) === false && node.parts === undefined) return [withTilde(node, reading)];
  const parts: readonly WordPart[] = node.parts ?? [{ type: "Literal", pos: node.pos, end: node.end, text: node.text, value: node.value }];
  let words: Draft[] = [{ value: "", pattern: false, open: false, prefix: "", single: true }];
  for (const [i, part] of parts.entries()) {
    const pieces = piecesOf(part, i === 0 && (parts.length === 1 || part.text !== "~"), reading);
    words = words.flatMap((word) => pieces.map((piece) => joined(word, piece)));
    if (words.length <= MOST_WORDS) continue;
    reading.doubt("makes more words than can be judged");
    return [{ kind: "open", text: node.text, prefix: "", single: false }];
  }
  return words.map((draft) => finished(draft, node));
}

const MOST_WORDS = 64;

/** How the name begins that `<(...)` stands for: what the commands in it print, and no file of anyone. */
export const PIPE = "/dev/fd/";

type Draft = { value: string; pattern: boolean; open: boolean; prefix: string; single: boolean };
type Piece = { text: string; pattern?: true; open?: true; split?: true };

function joined(word: Draft, piece: Piece): Draft {
  const open = word.open || piece.open === true;
  return {
    value: word.value + piece.text,
    pattern: word.pattern || piece.pattern === true,
    open,
    prefix: word.open ? word.prefix : word.prefix + piece.text,
    single: word.single && piece.split !== true,
  };
}

function finished({ value, pattern, open, prefix, single }: Draft, node: Node): Word {
  if (open) return { kind: "open", text: node.text, prefix, single };
  return pattern ? { kind: "pattern", text: value } : { kind: "literal", text: value };
}

function withTilde({ text, value }: Node, { bound }: Reading): Word {
  const home = bound.get("HOME");
  if (!/~/.test(text)) return literal(value);
  if (/^~(\/|$)/.test(text) && !/[=:]~/.test(text) && home?.kind === "literal") return literal(home.text + value.slice(1));
  return /(^|[=:])~/.test(text) ? { kind: "open", text, prefix: "", single: true } : literal(value);
}

function piecesOf(part: WordPart, isFirst: boolean, reading: Reading): Piece[] {
  switch (part.type) {
    case "Literal": {
      const word =
        isFirst || /^~$|[=:]~/.test(part.text) ? withTilde({ ...part, type: "Word" } as unknown as Node, reading) : literal(part.value);
      return [word.kind === "literal" ? { text: word.text } : { text: "", open: true }];
    }
    case "SingleQuoted":
      return [{ text: part.value }];
    case "AnsiCQuoted":
      return [/\\(x0|0|u0|c)/i.test(part.text) ? { text: "", open: true } : { text: part.value }];
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
      return [variable(part.text.slice(1), reading, false)];
    case "ParameterExpansion":
      return [parameter(part, reading, false)];
    case "CommandExpansion": {
      const text = reading.inner(part.script)?.replace(/\n+$/, "");
      return [text !== undefined && UNSPLIT.test(text) ? { text } : { text: "", open: true, split: true }];
    }
    case "ProcessSubstitution":
      reading.inner(part.script);
      return [{ text: part.operator === "<" ? PIPE : "", open: true }];
    case "ArithmeticExpansion":
      arithmetic(part.text, reading);
      return [{ text: "", open: true }];
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

type Quoted = Extract<WordPart, { type: "DoubleQuoted" }>["parts"];

function quoted(parts: Quoted, reading: Reading): Piece {
  const pieces = parts.map((part): Piece => {
    switch (part.type) {
      case "Literal":
        return { text: part.value };
      case "SimpleExpansion":
        return variable(part.text.slice(1), reading, true);
      case "ParameterExpansion":
        return parameter(part, reading, true);
      case "CommandExpansion": {
        const text = reading.inner(part.script);
        return text === undefined ? { text: "", open: true } : { text: text.replace(/\n+$/, "") };
      }
      case "ArithmeticExpansion":
        arithmetic(part.text, reading);
        return { text: "", open: true };
    }
  });
  const open = pieces.findIndex((piece) => piece.open);
  const split = pieces.some((piece) => piece.split);
  const pattern = pieces.some((piece) => piece.pattern);
  const text = (open < 0 ? pieces : pieces.slice(0, open)).map((piece) => piece.text).join("");
  return {
    text,
    ...(open < 0 ? {} : { open: true as const }),
    ...(split ? { split: true as const } : {}),
    ...(pattern ? { pattern: true as const } : {}),
  };
}

/** What the shell neither splits into words nor takes for a pattern. */
const UNSPLIT = /^[\w./,@%+=:-]+$/;

/** A variable stands for its value only where that is sure and would not be split into words. */
function variable(name: string, { bound }: Reading, isQuoted: boolean): Piece {
  const value = bound.get(name);
  if (!value || value.kind === "open") return { text: "", open: true, ...(isQuoted && name !== "@" ? {} : { split: true as const }) };
  if (!isQuoted && !UNSPLIT.test(value.kind === "pattern" ? value.text.replaceAll(/[*?]/g, "") || "a" : value.text))
    return { text: "", open: true, split: true };
  return { text: value.text, ...(value.kind === "pattern" ? { pattern: true as const } : {}) };
}

function parameter(part: ParameterExpansionPart, reading: Reading, isQuoted: boolean): Piece {
  const { operation, prefix, index, parameter: name } = part;
  const open: Piece = { text: "", open: true, ...(isQuoted ? {} : { split: true as const }) };
  if ((index !== undefined && !/^(\d{1,6}|[@*])$/.test(index.text)) || prefix === "!" || name === "") {
    reading.doubt("reads a variable that another one names");
    return open;
  }
  if ((prefix === "#" || index !== undefined) && operation === undefined) return open;
  if (operation === undefined) return variable(name, reading, isQuoted);
  switch (operation.type) {
    case "Default":
      if (operation.operator.includes("=")) reading.doubt("sets a variable on the way");
      readWord(operation.operand, reading);
      return open;
    case "Remove":
      readWord(operation.operand, reading);
      return open;
    case "Replace":
      readWord(operation.pattern, reading);
      readWord(operation.replacement, reading);
      return open;
    case "Slice":
      for (const bound of [operation.offset, operation.length]) if (bound) arithmetic(`$((${bound.text}))`, reading);
      return open;
    case "CaseModification":
      if (operation.operand) readWord(operation.operand, reading);
      return open;
    case "Transform":
    case "Names":
    case "Unknown":
      reading.doubt("evaluates the value of a variable");
      return open;
  }
}

/** Arithmetic evaluates what variables hold, so only numbers and operators are certain. */
function arithmetic(text: string, { bound, doubt }: Reading): void {
  const numberOf = (name: string) => {
    const word = bound.get(name);
    return word?.kind === "literal" && /^-?\d+$/.test(word.text) ? word.text : "?x";
  };
  const inner = text
    .replace(/^\$\(\(|^\$\[|\)\)$|\]$/g, "")
    .replaceAll(/\$?([A-Za-z_]\w*)|\$\{([A-Za-z_]\w*)\}/g, (_, plain?: string, braced?: string) => numberOf(plain ?? braced ?? ""));
  if (!/^[\d\s+*/%()<>=!&|^~?:,-]*$/.test(inner)) doubt("computes with variables");
}

/** `{a,b}` and `{1..3}` as their words; undefined for anything that is nested, quoted or long. */
function braces(text: string): string[] | undefined {
  const list = /^\{([\w./@+-]*(?:,[\w./@+-]*)+)\}$/.exec(text)?.[1];
  if (list !== undefined) return list.split(",");
  const [, from, to] = /^\{(\d{1,3})\.\.(\d{1,3})\}$/.exec(text) ?? [];
  if (from === undefined || to === undefined || /^0\d/.test(from + to)) return undefined;
  const [low, high] = [Math.min(Number(from), Number(to)), Math.max(Number(from), Number(to))];
  return high - low < MOST_WORDS ? Array.from({ length: high - low + 1 }, (_, i) => String(low + i)) : undefined;
}

/** The text of a call, as rules know it. */
export const textOfAll = (words: readonly Word[]): string => words.map(({ text }) => text).join(" ");
