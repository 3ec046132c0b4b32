import path from "node:path";
import type { NamedPath } from "../programs/program-types.ts";
import { literal, type Word } from "../shell/word.ts";

/** Folders and files that a sub-command of git makes, or whose changes it puts aside. */
export function pathsMadeByGit(name: string, words: readonly Word[]): NamedPath[] {
  const [first, ...others] = words.filter(
    ({ text }, i) => !text.startsWith("-") && !/^-(b|B|m|-branch|-depth|-message|-reason|-name|o|-origin)$/.test(words[i - 1]?.text ?? ""),
  );
  const edited = (...made: (Word | undefined)[]): NamedPath[] => made.flatMap((word) => (word ? [{ word, use: "edits" }] : []));
  const filled = (word: Word | undefined): NamedPath[] => edited(word).map((made) => ({ ...made, search: { fills: true } }));
  switch (name) {
    case "clone":
      return filled(others[0] ?? (first?.kind === "literal" ? literal(folderOf(first.text)) : undefined));
    case "init":
      return filled(first);
    case "worktree":
      return first?.text === "add" ? filled(others[0]) : [];
    case "submodule":
      return first?.text === "add" ? edited(others[1] ?? (others[0] && literal(folderOf(others[0].text)))) : [];
    case "bundle":
      return first?.text === "create" ? edited(others[0]) : [];
    case "stash":
      if (words.some(({ text }) => text === "--")) return edited(...words.slice(words.findIndex(({ text }) => text === "--") + 1));
      return /^(push|save)$/.test(first?.text ?? "") ? edited(...others) : [];
    default:
      return [];
  }
}

/** The folder that git makes for an address. Source: git-clone(1). */
const folderOf = (address: string): string => path.posix.basename(address.replace(/\/+$/, "")).replace(/\.git$/, "");
