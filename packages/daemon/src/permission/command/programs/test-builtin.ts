import { doubtful, OPEN, type Program } from "./program-types.ts";
import type { Word } from "../shell/word.ts";

const FILES = /^-[abcdefghkprstuwxGLNOS]$/;

/** `test` and `[`: looks at files and compares text. A variable can be compared only where nothing evaluates it. */
export const testCall: Program = ({ words }) => {
  if (words.some((word) => word.kind === "literal" && /^-[vRo]$/.test(word.text))) return doubtful("looks at a variable by its name");
  if (words.some((word) => word.kind === "open" && !word.single)) return doubtful(OPEN);
  const paths = words.filter((_, i) => {
    const before = words[i - 1];
    return before?.kind === "literal" && FILES.test(before.text) && words[i]?.kind !== "open";
  });
  return { reads: true, paths: paths.map((word: Word) => ({ word, use: "names" as const })), doubts: [] };
};
