import { has, type Word } from "../shell/word.ts";

/**
 * Files that `git restore` and `git checkout` take back to what is committed, or to what is in the index: a mode that may
 * not change them may not do that either. A single word after `checkout` may be a branch, so it counts when it ends as a
 * file does.
 */
export function restoredPaths(name: string, words: readonly Word[]): Word[] {
  const end = words.findIndex(({ text }) => text === "--");
  const behind = end < 0 ? [] : words.slice(end + 1);
  const before = (end < 0 ? words : words.slice(0, end)).filter(
    ({ text }, i) => !text.startsWith("-") && !/^(-s|--source|--conflict|--pathspec-from-file)$/.test(words[i - 1]?.text ?? ""),
  );
  if (name === "restore") return isStagedOnly(words) ? [] : [...before, ...behind];
  if (name !== "checkout" || has(words, /^(-b|-B|-t|--track|--orphan|--detach|-d)$/)) return [];
  const [first, ...others] = before;
  if (behind.length > 0 || others.length > 0) return [...others, ...behind];
  return first && ENDING.test(first.text) ? [first] : [];
}

/** Whether it names more than single files: a pattern, a place from the top on, or a list that lies in a file. */
export const restoresMore = (name: string, words: readonly Word[]): boolean =>
  /^(checkout|restore)$/.test(name) &&
  !isStagedOnly(words) &&
  (has(words, /^--paths/) ||
    restoredPaths(name, words).some(({ kind, text }) => kind !== "literal" || /^:|[*?[]/.test(text) || !ENDING.test(text)));

/** `git restore --staged`: the files stay as they are. */
export const isStagedOnly = (words: readonly Word[]): boolean => has(words, /^(--stag?e?d?|-S)$/) && !has(words, /^(--wo.*|-\w*W\w*)$/);

/** `slots.js`, but no version: `v1.2` is a tag. */
const ENDING = /\.[a-z]\w{0,9}$/i;
