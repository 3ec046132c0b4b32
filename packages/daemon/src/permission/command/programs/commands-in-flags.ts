import { isKnownProgram } from "./classify-program.ts";
import { nodesIn, parseShell } from "../shell/parse.ts";
import { wordSet } from "../tables/name-matcher.ts";
import { coveredPackages } from "../tables/verb-tables.ts";
import { literal, type Word } from "../words/word.ts";

/** Flags whose value is a command, as in `tsup --onSuccess "node dist/a.js"`. */
const TAKES_COMMAND = /^--?(on[A-Z-][\w-]*|[\w.-]*([cC]ommand|[cC]md|[eE]xec|[hH]ook|\.(full_)?bin)|doctor(Test|Install))$/;
/** Programs that run the commands in their arguments. */
const RUNNERS = wordSet("hyperfine watchexec start-server-and-test foreman npm-run-all reflex modd firebase");

/** Returns the calls in the arguments of a development tool or an unknown program that run as commands. */
export function callsInFlags(name: string, words: readonly Word[]): Word[][] {
  if (isKnownProgram(name) && !coveredPackages.has(name)) return [];
  const texts = words.flatMap(({ kind, text }, i) => {
    const [, flag = words[i - 1]?.text ?? "", value = text] = /^(--?[\w.-]+)=(.*)$/s.exec(text) ?? [];
    return kind === "literal" && (TAKES_COMMAND.test(flag) || (RUNNERS.has(name) && /\s/.test(value))) ? [value] : [];
  });
  return texts.flatMap((text) =>
    (parseShell(text)?.commands ?? []).flatMap(nodesIn).flatMap((node) => (node.type === "Command" ? [callOf(node)] : [])),
  );
}

/** Returns the words of a command without its redirects. */
export const callOf = ({ name, suffix }: { name?: NodeWord | undefined; suffix: readonly { type: string }[] }): Word[] =>
  [...(name ? [name] : []), ...suffix.filter((each): each is NodeWord => each.type === "Word")].map(({ value }) => literal(value));

type NodeWord = { type: "Word"; value: string };
