import { A_REF, textOfAll, type Word } from "./word.ts";

/** Subcommands of git that treat an argument before `--` as a revision. */
const REVISIONS = new Set("log rev-list show diff merge-base rev-parse shortlog cherry range-diff describe".split(" "));
const REVISION = new RegExp(`^(\\^?${A_REF}([~^]\\d*)*(\\.{2,3}[^:]*)?|[^:]*\\.{2,3}${A_REF}|--(format|pretty)=.*)$`);

/** Returns the words of a call. The name of a branch or tag stays known if it is a revision or is only printed. */
export function withRefs(words: readonly Word[]): readonly Word[] {
  const [name, verb] = words;
  if (!words.some(isRef) || (name?.text === "echo" && !isRef(name))) return words;
  const end = words.findIndex(({ text }) => text === "--");
  const isKnown = (word: Word, i: number) =>
    name?.text === "git" && REVISIONS.has(verb?.text ?? "") && REVISION.test(word.text) && i > 1 && (end < 0 || i < end);
  return words.map((word, i) =>
    isRef(word) && !isKnown(word, i) ? { kind: "open", text: textOfAll([word]), prefix: "", single: true } : word,
  );
}

const isRef = (word: Word): boolean => word.kind === "literal" && word.written !== undefined && word.text.includes(A_REF);
