import path from "node:path";
import type { NamedPath } from "../programs/program-types.ts";
import { anyMatches, literal, type Word } from "../words/word.ts";

/**
 * Returns the files that `git restore` and `git checkout` reset to the last commit or to the index. A mode that may not
 * change these files may not reset them either. A single word after `checkout` may be a branch, so it counts only if it ends
 * like a file name, or if something of this name `isThere`. Then git refuses to take it for a branch.
 */
export function restoredPaths(name: string, words: readonly Word[], isThere = ({ text }: Word): boolean => ENDING.test(text)): Word[] {
  const end = words.findIndex(({ text }) => text === "--");
  const behind = end < 0 ? [] : words.slice(end + 1);
  const before = (end < 0 ? words : words.slice(0, end)).filter(
    ({ text }, i) => !text.startsWith("-") && !/^(-s|--source|--conflict|--pathspec-from-file)$/.test(words[i - 1]?.text ?? ""),
  );
  if (name === "restore") return isStagedOnly(words) ? [] : [...before, ...behind];
  const isBranch =
    anyMatches(words, /^-[bB]$/) ||
    (anyMatches(words, /^(-t|--track|--orphan|--detach|-d)$/) && !TAKES_BACK.some((flag) => negates(words, flag)));
  if (name !== "checkout" || isBranch) return [];
  const [first, ...others] = before;
  if (behind.length > 0) return [...others, ...behind];
  if (others.length > 0) return [...(first && isThere(first) ? [first] : []), ...others]; // only the name of a commit is no file
  return first && (first.kind === "pattern" || isThere(first)) ? [first] : [];
}

/** Flags without which a checkout changes files again. */
const TAKES_BACK = ["detach", "orphan", "track"];

/** True if the call names more than single files: a pattern, a path from the root, or a list in a file. */
export const restoresMoreThanFiles = (name: string, words: readonly Word[]): boolean =>
  (name === "stash" && stashed(words).some(({ text }) => /^:|[*?[]/.test(text))) ||
  (/^(checkout|restore)$/.test(name) &&
    !isStagedOnly(words) &&
    (anyMatches(words, /^--paths/) ||
      restoredPaths(name, words).some(({ kind, text }) => kind !== "literal" || /^:|[*?[]/.test(text) || !ENDING.test(text))));

/** True for `git restore --staged`, which does not change the files. */
export function isStagedOnly(words: readonly Word[]): boolean {
  const end = words.findIndex(({ text }) => text === "--");
  const own = end < 0 ? words : words.slice(0, end);
  return anyMatches(own, /^(--stag?e?d?|-S)$/) && !anyMatches(own, /^(--w.*|-\w*W\w*)$/) && !negates(own, "staged");
}

/** True if a flag may take back another one, as `--no-cached` does for `cached`. It may be shortened. */
export const negates = (words: readonly Word[], flag: string): boolean =>
  words.some(({ text }) => text.length > "--no-".length && `--no-${flag}`.startsWith(text));

/** The ending of a file name such as `slots.js`. A tag such as `v1.2` does not match. */
const ENDING = /\.[a-z]\w{0,9}$/i;

/** Flags with a value of the subcommands that create something. They may be shortened. */
const VALUED =
  "--branch --depth --message --reason --name --origin --initial-branch --object-format --ref-format --version --jobs --shallow-since --shallow-exclude --filter --server-option --reference --bundle-uri --config --upload-pack --template --separate-git-dir --orphan --reference-if-able".split(
    " ",
  );
const isValued = (name: string, text: string): boolean =>
  (name === "clone" ? /^-\w*[bojcu]$/ : /^-\w*[bBm]$/).test(text) ||
  (/^--\w{2}/.test(text) && !text.includes("=") && VALUED.some((flag) => flag.startsWith(text)));

/** Returns the folders and files that a subcommand of git creates, or whose changes it stashes. */
export function pathsMadeByGit(name: string, words: readonly Word[]): NamedPath[] {
  const [first, ...others] = words.filter(({ text }, i) => !/^-./.test(text) && !isValued(name, words[i - 1]?.text ?? ""));
  const edited = (...made: (Word | undefined)[]): NamedPath[] => made.flatMap((word) => (word ? [{ word, use: "edits" }] : []));
  const filled = (word: Word | undefined): NamedPath[] => edited(word).map((made) => ({ ...made, search: { fills: true } }));
  const made = first?.kind === "literal" ? literal(folderOf(first.text)) : undefined;
  if (name === "config") return edited(configFile(words));
  if (name === "clone") return filled(others[0] ?? made);
  if (name === "init") return filled(first ?? literal("."));
  if (name === "stash") return edited(...stashed(words)).map((each) => ({ ...each, search: { tree: true } }));
  if (name === "format-patch") {
    const at = words.findIndex(({ text }) => text.startsWith("--suf"));
    const suffix = /=(.*)/.exec(words[at]?.text ?? "")?.[1] ?? words[at + 1]?.text ?? "";
    const isElsewhere = anyMatches(words, /^(-o|--out|--std)/);
    return isElsewhere ? [] : [{ word: literal(`0001-commit${at < 0 ? ".patch" : suffix}`), use: "writes" }];
  }
  if (name === "worktree") return first?.text === "add" ? filled(others[0]) : [];
  if (name === "submodule" && first?.text === "add") return edited(others[1] ?? (others[0] && literal(folderOf(others[0].text))));
  return name === "bundle" && first?.text === "create" ? edited(others[0]) : [];
}

/** Returns the file that `git config` changes, if a flag names one. */
function configFile(words: readonly Word[]): Word | undefined {
  const at = words.findIndex(({ text }) => /^(-f|--file(=|$))/.test(text));
  const named = words[at];
  const file = named && (/^(-f|--file)$/.test(named.text) ? words[at + 1] : literal(named.text.replace(/^(-f|--file=)/, "")));
  const isRead = words.some(({ text }) => /^(--get\S*|--list|-l|get|list)$/.test(text));
  const isSingle = words.filter((word) => word !== file && !word.text.startsWith("-")).length < 2;
  return isRead || (isSingle && !words.some(({ text }) => CHANGES.test(text))) ? undefined : file;
}
const CHANGES = /^(-e|--(edit|unset|remove|rename|add|replace)\S*)$/;

/** Returns the paths whose changes `git stash` puts aside. */
function stashed(words: readonly Word[]): readonly Word[] {
  const isValue = (i: number) => /^(-\w*m|--(mes\w*|pathspec-from-f\w*))$/.test(words[i - 1]?.text ?? "");
  const own = words.filter(({ text }, i) => !isValue(i) && !/^-[^-]|^--./.test(text));
  const paths = own.slice(1).filter(({ text }) => text !== "--");
  return /^(push|save|--)$/.test(own[0]?.text ?? "") ? paths : []; // `git stash -- a` is `git stash push -- a`
}

/** Returns the folder that git creates for an address. Source: git-clone(1). */
const folderOf = (address: string): string => path.posix.basename(address.replace(/\/+$/, "")).replace(/\.git$/, "");
