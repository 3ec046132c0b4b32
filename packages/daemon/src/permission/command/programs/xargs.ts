import { parseArguments } from "./parse-arguments.ts";
import { doubtful, UNKNOWN_ARGUMENT, type ExtraArguments, type ProgramClassifier, type InnerCommand } from "./program-types.ts";
import type { Table } from "../tables/argument-table.ts";
import { literal, type Word } from "../words/word.ts";

const table: Table = {
  flagsFirst: true,
  operands: "text",
  flags: "-0 -r -t -x -p --null --no-run-if-empty --verbose --exit",
  valued: "-n -P -L -s -d -E -I --max-args --max-procs --max-chars --delimiter",
  attached: "--max-lines --replace -l -i -e --eof",
};

/** Classifies `xargs`, which runs its words with more arguments from its input. */
export const xargs: ProgramClassifier = ({ words, incoming: lines }) => {
  const { unknown, isOpen, operands, seen, occurrences } = parseArguments(table, words);
  const ends = seen.get("-d") ?? seen.get("--delimiter");
  const incoming = ends === undefined || /^(\\?\n|\\[n0])$/.test(ends.text) ? lines : "any"; // any other character may be inside a name
  if (unknown.length > 0) return doubtful(`${unknown[0]} is no flag of xargs that is known here`);
  if (isOpen) return doubtful(UNKNOWN_ARGUMENT);
  const inner = operands.length > 0 ? operands : [literal("echo")];
  // The last of these flags decides, except for one argument behind `-I`. Observed with findutils 4.9.
  const isShape = ({ flag, value }: (typeof occurrences)[number]) =>
    /^(-[IiLl]|--replace|--max-lines)$/.test(flag) || (/^(-n|--max-args)$/.test(flag) && value?.text !== "1");
  const shape = occurrences.findLast(isShape);
  const sign = shape && /^(-[Ii]|--replace)$/.test(shape.flag) ? (shape.value?.text ?? "{}") : undefined;
  const run = sign === undefined ? { words: inner, more: incoming } : filledIn(inner, sign, incoming);
  return { reads: true, paths: [], doubts: [], runs: [run], isWrapper: true };
};

/** Programs that only name or count their arguments, so it does not matter which files these are. */
export const COUNTING = new Set("ls stat basename dirname realpath readlink echo test [ printf".split(" "));
/** Programs that only measure files, unless a flag makes them read names from a file. */
export const MEASURING = new Set("wc file du".split(" "));

/**
 * Returns a command in which a placeholder such as `{}` stands for arguments from the input. At the end, it is one more argument. Elsewhere
 * its meaning depends on the text around it, so the word is open. This does not matter for a program that only counts or measures.
 */
export function filledIn(words: readonly Word[], sign: string, more: ExtraArguments): InnerCommand {
  const isLast = words.length > 1 && words.at(-1)?.text === sign; // the name of the program is never replaced
  const [name] = words;
  const isMeasured = name !== undefined && MEASURING.has(name.text);
  if (name && name.text !== "printf" && (COUNTING.has(name.text) || isMeasured) && words.some(({ text }) => text.includes(sign))) {
    const folders = words.map((word) => (isMeasured && word.text !== sign ? folderAround(word, sign) : word));
    return { words: folders.filter(({ text }) => !text.includes(sign)), more };
  }
  const own = (isLast ? words.slice(0, -1) : words).map((word): Word => {
    const at = word.text.indexOf(sign);
    return at < 0 ? word : { kind: "open", text: word.text, prefix: word.text.slice(0, at), single: true };
  });
  return { words: own, more: isLast ? more : "none" };
}

/** Returns the folder of the files that `src/{}` names. Any other word around the sign is open. */
function folderAround(word: Word, sign: string): Word {
  const [before = "", ...after] = word.text.split(sign);
  if (after.length === 0) return word;
  return /^[^-].*\/$/.test(before) && !after.join().includes("..") ? literal(before) : { kind: "open", text: "", prefix: "", single: true };
}
