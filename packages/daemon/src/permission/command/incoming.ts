import { namesOrdinary } from "./find.ts";
import { pipelineOf } from "./number-output.ts";
import type { CommandNode, Redirection, Word } from "./parse.ts";
import type { More } from "./program.ts";
import { literal } from "./word.ts";

/** Programs that leave lines out or order them, and make no new ones. */
const FILTERS = new Set("head tail sort uniq grep egrep fgrep".split(" "));

/** What kind of names the commands before a pipe print. */
export function incomingFrom(commands: readonly CommandNode[]): More {
  const [first, ...filters] = commands.map(wordsOf);
  if (
    !first ||
    !filters.every(
      (words) => words && FILTERS.has(words[0] ?? "") && !words.some((word) => /^(-[a-zA-Z]*[ofr]|--only|--file|--include)/.test(word)),
    )
  )
    return "any";
  const [name, second] = first;
  if (name === "find") return first.includes("-printf") ? "any" : namesOrdinary(first.slice(1).map(literal)) ? "ordinary" : "names";
  if (name === "git" && second === "ls-files")
    return first.some((word) => /^(-[a-z]*o|--others|--ignored|-[a-z]*i)/.test(word)) ? "any" : "ordinary";
  if (name === "git" && second === "diff")
    return first.includes("--name-only") && !first.some((word) => /^--(output|no-index|relative|src|dst|line)/.test(word))
      ? "ordinary"
      : "any";
  if (name === "git" && second === "grep")
    return first.some((word) => /^(-l|--files-with-matches|--name-only)$/.test(word)) &&
      !first.some((word) => /^(-O|--open|--no-|--untr)/.test(word))
      ? "ordinary"
      : "any";
  if (name === "fd" || name === "fdfind")
    return first.some((word) => /^(-[a-zA-Z]*[HIuxXgL]|--(?!extension|exclude))/.test(word))
      ? first.some((word) => /^-[a-zA-Z]*[xX]|^--exec/.test(word))
        ? "any"
        : "names"
      : "ordinary";
  if (name === "rg")
    return first.some((word) => /^(-l|--files|--files-with-matches)$/.test(word)) &&
      !first.some((word) => /^(-\.|--hidden|-[a-z]*u|--no-ignore|-r|--replace|-g|--glob)/.test(word))
      ? "ordinary"
      : "any";
  return name === "ls" || ((name === "grep" || name === "git") && first.some((word) => /^-\w*l|^--(files-with|porcelain)/.test(word)))
    ? "names"
    : "any";
}

/** Whether a word is `$(git ls-files)` or its like, which becomes names of files that surely hold no secrets. */
export function listsOrdinaryFiles({ parts }: Word): boolean {
  const [only, ...more] = parts ?? [];
  if (only?.type !== "CommandExpansion" || more.length > 0) return false;
  return only.script !== undefined && incomingFrom(pipelineOf(only.script)) === "ordinary";
}

/** What kind of names redirects bring in: `< <(git ls-files)`. */
export function incomingThrough(redirects: readonly Redirection[]): More {
  const [only, ...more] = redirects.filter(({ type, operator }) => type !== "Redirect" || operator.startsWith("<"));
  const [part, ...others] = (only?.operator === "<" && only.descriptor === undefined && more.length === 0 && only.target?.parts) || [];
  return part?.type === "ProcessSubstitution" && part.operator === "<" && part.script && others.length === 0
    ? incomingFrom(pipelineOf(part.script))
    : "any";
}

/** Whether a word is nothing but a variable that stands for such a name. */
export function isOrdinaryVariable({ text }: Word, ordinary: ReadonlySet<string>): boolean {
  const [, name = ""] = /^"?\$(\w+|\{\w+\})"?$/.exec(text) ?? [];
  return ordinary.has(name.replaceAll(/[{}]/g, ""));
}

/** The words of a simple command without variables; undefined for anything else. */
function wordsOf(node: CommandNode): string[] | undefined {
  if (node.type !== "Command" || !node.name || node.prefix.length > 0) return undefined;
  const words = [node.name, ...node.suffix];
  const plain = words.flatMap((word) => (word.type === "Word" && !/[$`<>]/.test(word.text.replace(/'[^']*'/g, "")) ? [word.value] : []));
  return plain.length === words.filter(({ type }) => type !== "Redirect").length ? plain : undefined;
}
