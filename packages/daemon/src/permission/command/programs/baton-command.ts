import { treeOf, verbsBelow } from "../verbs/verb-tree.ts";
import type { Word } from "../words/word.ts";

/** Subcommands of Baton's own client that only show information. `_` means that no further word is needed. */
const SHOWING =
  treeOf(`help sessions show inbox usage doctor context tools export models(_ list) background(_ list output) modes(_ list show
  validate export) permissions(_ list check grants) mcp(_ list logs) plugins(_ list show) toolsets(_ list tools) daemon(status logs)
  auth(_ list) config(_ schema) db(_ check)`);

/**
 * True if these words of `baton` may do more than show information. They may answer a request for the user, trust a folder,
 * or change modes, rules or servers. An agent that could run such a call could grant itself permissions. Therefore only a
 * rule that names the exact command covers it.
 */
export function actsForPerson(words: readonly Word[]): boolean {
  if (words.some(({ kind }) => kind === "open")) return true;
  const said = words.map(({ text }) => text);
  const [name = "", part] = said;
  if ((said.length === 1 && /^(--version|-V|--help|-h)$/.test(name)) || asksHelp(said)) return false;
  if (name.startsWith("-") || name === "") return true; // the next word may be the value of an option, and `baton` alone opens the terminal
  const below = verbsBelow(SHOWING, name);
  return !below || (below.size > 0 && !(part === undefined ? below.has("_") : verbsBelow(below, part)));
}

/** True for `baton answer --help`. The flag must come directly after the subcommand, so that it is not the value of an option. */
const asksHelp = (said: readonly string[]): boolean =>
  said.length <= 3 && said.at(-1) === "--help" && said.slice(0, -1).every((word) => /^[a-z]+$/.test(word));

/**
 * Returns the words after `baton` in a call of Baton's own client, or undefined for any other call. The call may use the
 * client's name, a package manager, or the script.
 */
export function ownCall(name: string, words: readonly Word[]): readonly Word[] | undefined {
  if (name === "baton") return words;
  if (/^(yarn|pnpm|npm|bun)$/.test(name)) {
    const at = words.findIndex(({ text }) => text === "baton");
    return at < 0 || words.slice(0, at).some(({ text }) => !/^(-|run$|run-script$|exec$|x$|dlx$)/.test(text))
      ? undefined
      : words.slice(at + 1);
  }
  if (!/^(node|bun|deno|tsx)$/.test(name)) return undefined;
  const at = words.findIndex(({ text }) => OWN_SCRIPT.test(text));
  return at < 0 ? undefined : words.slice(at + 1);
}

const OWN_SCRIPT = /(^|\/)(baton|(baton|cli)\/dist\/main\.js)$/;
