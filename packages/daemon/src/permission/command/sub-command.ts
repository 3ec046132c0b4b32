import { byTable } from "./by-table.ts";
import type { Deeds, Program } from "./program.ts";
import type { Tables } from "./table.ts";
import type { Word } from "./word.ts";

/**
 * The words from each place where the sub-command may stand: flags before it may have values, and nobody knows which. Only one
 * reading where no flag stands that early.
 */
export function readings(words: readonly Word[]): (readonly Word[])[] {
  const second = words.findIndex(({ text }, i) => !text.startsWith("-") && words.slice(0, i).some((word) => !word.text.startsWith("-")));
  const isPlain = !words.slice(0, second < 0 ? undefined : second).some(({ text }) => text.startsWith("-"));
  if (isPlain) return [words];
  const isMoved = (word: Word, i: number) => word.text.startsWith("-") || words[i - 1]?.text.startsWith("-") === true;
  const inFront = words.slice(0, MOST_READINGS).flatMap((word, i) => (word.text.startsWith("-") ? [] : [words.slice(i)]));
  return [
    words,
    ...inFront,
    [...words.filter((word, i) => !isMoved(word, i)), ...words.filter(isMoved)],
    words.filter(({ text }) => !text.startsWith("-")),
  ];
}

const MOST_READINGS = 8;

/** A program whose first one or two words say what it does; of others nothing is known. */
export const bySubCommand =
  (tables: Tables): Program =>
  ({ words }): Deeds => {
    const [first, second] = words.map(({ kind, text }) => (kind === "literal" ? text : "$"));
    for (const count of [2, 1]) {
      const name = [first, second].slice(0, count).join(" ");
      const table = Object.hasOwn(tables, name) ? tables[name] : undefined;
      if (table) return byTable(table, words.slice(count));
    }
    return { reads: false, paths: [], doubts: [] };
  };

/** Programs and sub-commands that run the program named behind them. */
const RUNNING =
  /^(uv|poetry|pipenv|hatch|conda|mamba|pdm|rye|volta|doppler|op|dotenvx|infisical|uvx|pipx) run$|^(bundle|asdf|rbenv|pyenv|stack|cabal|dune|tox|mise|opam|fnm|nvm|aws-vault|direnv|sops|docker|podman) exec$|^mise x$|^mix cmd$/;

/** `poetry run pytest`: the words from where the program may stand. */
export function runBehind(name: string, words: readonly Word[]): (readonly Word[])[] {
  if (words[0]?.kind !== "literal" || !RUNNING.test(`${name} ${words[0].text}`)) return [];
  const dashes = words.findIndex(({ text }) => text === "--");
  if (dashes > 0) return [words.slice(dashes + 1)].filter(({ length }) => length > 0);
  const at = words.flatMap(({ text }, i) => (i > 0 && !text.startsWith("-") ? [i] : []));
  // The value of a flag, or the name of an environment, may stand before the program.
  return at.slice(0, 2).map((i) => words.slice(i));
}
