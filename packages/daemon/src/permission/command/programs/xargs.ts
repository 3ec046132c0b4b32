import { parseArguments } from "./parse-arguments.ts";
import { doubtful, OPEN, type ExtraArguments, type Program, type Run } from "./program-types.ts";
import type { Table } from "../tables/table.ts";
import { literal, type Word } from "../shell/word.ts";

const table: Table = {
  flagsFirst: true,
  operands: "text",
  flags: "-0 -r -t -x -p --null --no-run-if-empty --verbose --exit",
  valued: "-n -P -L -s -d -E -I --max-args --max-procs --max-chars --delimiter",
  attached: "--max-lines --replace -l -i -e --eof",
};

/** `xargs`: runs its words with more of them, which come in as input. */
export const xargs: Program = ({ words, incoming }) => {
  const { unknown, isOpen, operands, seen } = parseArguments(table, words);
  if (unknown.length > 0) return doubtful(`${unknown[0]} is no flag of xargs that is known here`);
  if (isOpen) return doubtful(OPEN);
  const inner = operands.length > 0 ? operands : [literal("echo")];
  const sign = ["-I", "-i", "--replace"].flatMap((flag) => (seen.has(flag) ? [seen.get(flag)?.text ?? "{}"] : []))[0];
  const run = sign === undefined ? { words: inner, more: incoming } : filledIn(inner, sign, incoming);
  return { reads: true, paths: [], doubts: [], runs: [run], isWrapper: true };
};

/** Programs that only name or count what they are given, so that it does not matter which files that are. */
export const COUNTING = new Set("ls stat basename dirname realpath readlink echo test [ printf".split(" "));
/** Programs that only measure files, unless a flag makes them read names out of one. */
export const MEASURING = new Set("wc file du".split(" "));

/**
 * A command in which a sign such as `{}` stands for what comes in. At the end it is one more argument. At any other place its meaning depends
 * on its text, so the word is open, unless the program only counts.
 */
export function filledIn(words: readonly Word[], sign: string, more: ExtraArguments): Run {
  const isLast = words.at(-1)?.text === sign;
  const [name] = words;
  if (
    name &&
    (COUNTING.has(name.text) || MEASURING.has(name.text)) &&
    name.text !== "printf" &&
    words.some(({ text }) => text.includes(sign))
  )
    return { words: words.filter(({ text }) => !text.includes(sign)), more };
  const own = (isLast ? words.slice(0, -1) : words).map((word): Word => {
    const at = word.text.indexOf(sign);
    return at < 0 ? word : { kind: "open", text: word.text, prefix: word.text.slice(0, at), single: true };
  });
  return { words: own, more: isLast ? more : "none" };
}
