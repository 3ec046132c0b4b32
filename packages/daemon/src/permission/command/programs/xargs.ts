import { parseArguments } from "./parse-arguments.ts";
import { doubtful, OPEN, type Program } from "./program-types.ts";
import type { Table } from "../tables/table.ts";
import { literal, type Word } from "../shell/word.ts";

const table: Table = {
  flags: "-0 -r -t -x -p --null --no-run-if-empty --verbose --exit",
  valued: "-n -P -L -s -d -E -I --max-args --max-procs --max-chars --delimiter",
  attached: "--max-lines --replace -l -i -e --eof",
};

/** `xargs`: runs its words with more of them, which come in as input. */
export const xargs: Program = ({ words, incoming }) => {
  const at = ownWords(words);
  const sorted = parseArguments(table, words.slice(0, at));
  if (sorted.unknown.length > 0) return doubtful(`${sorted.unknown[0]} is no flag of xargs that is known here`);
  if (sorted.isOpen) return doubtful(OPEN);
  const inner = words.slice(at);
  return {
    reads: true,
    paths: [],
    doubts: [],
    runs: [{ words: inner.length > 0 ? inner : [literal("echo")], more: incoming }],
    isWrapper: true,
  };
};

/** How many words belong to xargs itself: flags, and the values of those that take one. */
function ownWords(words: readonly Word[]): number {
  const valued = new Set(table.valued?.split(" "));
  let at = 0;
  for (let word = words[at]; word?.kind === "literal" && word.text.startsWith("-"); word = words[at]) {
    at += valued.has(word.text) ? 2 : 1;
    if (word.text === "--") break;
  }
  return at;
}
