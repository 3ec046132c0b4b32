import { isCertain, type Word } from "../words/word.ts";

/**
 * A text that a command writes. `isKnown`: it is exactly this text. Otherwise parts of it are known only when it runs. `patterns`: words in it
 * that the shell replaces by the names of files.
 */
export type WrittenText = { text: string; isKnown: boolean; patterns?: readonly Word[] };

/** Returns the text that `echo` or `printf` prints. */
export function printedText(name: "echo" | "printf", words: readonly Word[]): WrittenText {
  const isKnown = words.every((word) => word.kind === "literal" && isCertain(word));
  const texts = words.map(({ text }) => text);
  const patterns = words.filter(({ kind }) => kind === "pattern");
  return { ...(name === "echo" ? { text: echoed(texts), isKnown } : formatted(texts, isKnown)), patterns };
}

/** Replaces the escapes of `printf`, `echo -e` and `$'...'`. Source: "ANSI-C Quoting" in the manual of bash. */
export const unescaped = (text: string): string =>
  text.replaceAll(/\\(?:0?[0-7]{1,3}|x[\da-f]{1,2}|u[\da-f]{1,8}|.)/gis, (escape) => {
    const digits = /^\\(?:[xu])?([\da-f]+)$/i.exec(escape)?.[1];
    const isLetter = digits === undefined || /^\\[a-f89]$/i.test(escape);
    if (isLetter) return LETTERS[escape.slice(1)] ?? escape.slice(1);
    const code = parseInt(digits, /^\\\d/.test(escape) ? 8 : 16);
    return code > 0x10ffff ? "" : String.fromCodePoint(code);
  });

const LETTERS: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", f: "\f", v: "\v", a: "", b: "", e: "", c: "" };

/** Some shells replace escapes without `-e` as well, so they always count. */
function echoed(texts: readonly string[]): string {
  const start = texts.findIndex((text) => !/^-[neE]+$/.test(text));
  const flags = texts.slice(0, Math.max(start, 0)).join("");
  return unescaped((start < 0 ? [] : texts.slice(start)).join(" ")) + (flags.includes("n") ? "" : "\n");
}

/** Like `printf`, repeats the format until no value is left. */
function formatted([format = "", ...values]: readonly string[], isKnown: boolean): WrittenText {
  let text = "";
  let isPlain = isKnown;
  const left = [...values];
  do {
    text += unescaped(format).replaceAll(/%(%|[-+ #\d.]*([a-zA-Z]))/g, (_, all: string, kind: string | undefined) => {
      if (all === "%") return "%";
      isPlain &&= all === "s" || all === "b" || (all === "d" && /^\d*$/.test(left[0] ?? ""));
      const value = left.shift() ?? "";
      return kind === "b" ? unescaped(value) : value;
    });
  } while (left.length > 0 && left.length < values.length);
  return { text, isKnown: isPlain };
}
