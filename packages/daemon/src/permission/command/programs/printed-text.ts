import { isCertain, type Word } from "../words/word.ts";

/**
 * A text that a command writes. `isKnown`: it is exactly this text. Otherwise parts of it are known only when it runs. `patterns`: words in it
 * that the shell replaces by the names of files. `files`: the names of the files that get the text, unless it may be any file. `isMovable`: a later
 * program may have given it to other files. `isCode`: a program runs the text, and so prints something else.
 */
export type WrittenText = {
  text: string;
  isKnown: boolean;
  patterns?: readonly Word[];
  files?: readonly string[] | undefined;
  isMovable?: boolean;
  isCode?: boolean;
};

/** Returns the text that `echo` or `printf` prints. It is known unless a flag, an escape or a format changes it. */
export function printedText(name: "echo" | "printf", words: readonly Word[]): WrittenText {
  const isPlain = words.every((word) => word.kind === "literal" && isCertain(word) && !/^-|[\\%]/.test(word.text));
  const text = words.map((word) => word.text).join(" ");
  const patterns = words.filter(({ kind }) => kind === "pattern");
  if (name === "echo") return { text: `${unescaped(text)}\n`, isKnown: isPlain, patterns };
  return { text: unescaped(text), isKnown: isPlain && words.length === 1, patterns };
}

/** Replaces the escapes of `printf`, `echo -e` and `$'...'`. Source: "ANSI-C Quoting" in the manual of bash. */
export const unescaped = (text: string): string =>
  text.replaceAll(/\\(?:0?[0-7]{1,3}|x[\da-fA-F]{1,2}|u[\da-fA-F]{1,4}|U[\da-fA-F]{1,8}|.)/gs, (escape) => {
    const digits = /^\\(?:[xu])?([\da-f]+)$/i.exec(escape)?.[1];
    if (digits === undefined || /^\\[a-f89]$/i.test(escape)) return LETTERS[escape.slice(1)] ?? escape.slice(1);
    const code = parseInt(digits, /^\\\d/.test(escape) ? 8 : 16);
    return code > 0x10ffff ? "" : String.fromCodePoint(code);
  });

const LETTERS: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", f: "\f", v: "\v", a: "", b: "", e: "", c: "" };
