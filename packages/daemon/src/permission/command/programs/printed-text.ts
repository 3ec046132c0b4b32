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

/** Returns the text that `echo` or `printf` prints. */
export function printedText(name: "echo" | "printf", words: readonly Word[]): WrittenText {
  const isKnown = words.every((word) => word.kind === "literal" && isCertain(word));
  const texts = words.map(({ text }) => text);
  const patterns = words.filter(({ kind }) => kind === "pattern");
  return { ...(name === "echo" ? echoed(texts, isKnown) : formatted(texts[0] === "--" ? texts.slice(1) : texts, isKnown)), patterns };
}

/** Replaces the escapes of `printf`, `echo -e` and `$'...'`. Source: "ANSI-C Quoting" in the manual of bash. */
export const unescaped = (text: string): string =>
  text.replaceAll(/\\(?:0?[0-7]{1,3}|x[\da-fA-F]{1,2}|u[\da-fA-F]{1,4}|U[\da-fA-F]{1,8}|.)/gs, (escape) => {
    const digits = /^\\(?:[xu])?([\da-f]+)$/i.exec(escape)?.[1];
    const isLetter = digits === undefined || /^\\[a-f89]$/i.test(escape);
    if (isLetter) return LETTERS[escape.slice(1)] ?? escape.slice(1);
    const code = parseInt(digits, /^\\\d/.test(escape) ? 8 : 16);
    return code > 0x10ffff ? "" : String.fromCodePoint(code);
  });

const LETTERS: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", f: "\f", v: "\v", a: "", b: "", e: "", c: "" };

/** Some shells replace escapes without `-e` as well, so they always count. Without it, the text is not certain. */
function echoed(texts: readonly string[], isKnown: boolean): WrittenText {
  const start = texts.findIndex((text) => !/^-[neE]+$/.test(text));
  const flags = texts.slice(0, Math.max(start, 0)).join("");
  const text = (start < 0 ? [] : texts.slice(start)).join(" ");
  const isPlain = !text.includes("\\") || /^(-e)+$/.test(flags);
  return { text: unescaped(text) + (flags.includes("n") ? "" : "\n"), isKnown: isKnown && isPlain };
}

/** Like `printf`, repeats the format until no value is left. */
function formatted([format = "", ...values]: readonly string[], isKnown: boolean): WrittenText {
  let text = "";
  let isPlain = isKnown && !/^-./.test(format);
  const left = [...values];
  do {
    text += unescaped(format).replaceAll(/%(%|[-+ #\d.]*([a-zA-Z])|)/g, (_, all: string, kind: string | undefined) => {
      if (all === "%") return "%";
      isPlain &&= all === "s" || all === "b" || (all === "d" && /^\d*$/.test(left[0] ?? ""));
      const value = left.shift() ?? "";
      return kind === "b" ? unescaped(value) : value;
    });
  } while (left.length > 0 && left.length < values.length);
  return { text, isKnown: isPlain };
}
