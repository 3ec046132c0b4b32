import type { Program } from "./program-types.ts";
import { literal } from "../shell/word.ts";

/** `dd`: its words are `if=`, what it reads, and `of=`, what it changes. */
export const dd: Program = ({ words }) => ({
  reads: false,
  paths: words.flatMap(({ kind, text }) => {
    const [, side, file] = (kind === "literal" ? /^(if|of)=(.+)$/s.exec(text) : undefined) ?? [];
    return file === undefined ? [] : [{ word: literal(file), use: side === "if" ? ("reads" as const) : ("edits" as const) }];
  }),
  ...(words.every(({ text }) => /^(if|of|bs|ibs|obs|count|status|seek|skip)=[^=]+$/.test(text)) ? { onlyEdits: true as const } : {}),
  doubts: words.some(({ kind }) => kind !== "literal") ? ["an argument is known only when it runs"] : [],
});
