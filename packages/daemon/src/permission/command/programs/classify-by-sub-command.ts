import { classifyByTable } from "./classify-by-table.ts";
import { parseArguments } from "./parse-arguments.ts";
import { doubtful, UNKNOWN_ARGUMENT, unknownCall, type ProgramClassifier } from "./program-types.ts";
import { services } from "../tables/services.ts";
import { verbTables } from "../tables/verb-tables.ts";
import { literal, type Word } from "../words/word.ts";

/** Classifies a program by its first one or two words. The gate knows nothing about a call that is in no table. */
export const classifyBySubCommand: ProgramClassifier = ({ name: program, words }) => {
  const [first, second] = words.map(({ kind, text }) => (kind === "literal" ? text : "$"));
  for (const count of [2, 1]) {
    const name = [program, first, second].slice(0, count + 1).join(" ");
    if (Object.hasOwn(services, name)) return classifyByTable(services[name], words.slice(count));
  }
  const own = verbTables[program]?.behind?.[`${first} ${second}`];
  return own ? doubtful(...(parseArguments(own, words.slice(2)).isOpen ? [UNKNOWN_ARGUMENT] : [])) : unknownCall(words);
};

/** Programs with a subcommand that runs the program named after it. */
const RUNNING =
  /^(uv|poetry|pipenv|hatch|conda|mamba|pdm|rye|volta|doppler|op|dotenvx|infisical|uvx|pipx) run$|^(bundle|asdf|rbenv|pyenv|stack|cabal|dune|tox|mise|opam|fnm|nvm|aws-vault|direnv|sops|docker|podman) exec$|^mise x$|^mix cmd$/;

/** Returns the possible inner commands of a call such as `poetry run pytest`. Each begins at a word that may be the program. */
export function runBehind(name: string, words: readonly Word[]): (readonly Word[])[] {
  const verb = /^(docker|podman)(-compose)?$/.test(name) ? words.findIndex(({ text }) => /^(exec|run)$/.test(text)) : 0;
  if (verb > 0) return runBehind("docker", [literal("exec"), ...words.slice(verb + 1)]);
  if (words[0]?.kind !== "literal" || !RUNNING.test(`${name} ${words[0].text}`)) return [];
  const dashes = words.findIndex(({ text }) => text === "--");
  if (dashes > 0) return [words.slice(dashes + 1)].filter(({ length }) => length > 0);
  const at = words.flatMap(({ text }, i) => (i > 0 && !text.startsWith("-") ? [i] : []));
  // The value of a flag, or the name of an environment, may come before the program.
  const isFirst = at[0] === 1 && /^(poetry|pipenv|uv|pdm|rye|bundle)$/.test(name);
  return at.slice(0, isFirst ? 1 : 2).map((i) => words.slice(i));
}
