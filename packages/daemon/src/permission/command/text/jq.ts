import { hasFlag } from "../programs/parse-arguments.ts";
import { readCall } from "../programs/classify-by-table.ts";
import { doubtful, UNKNOWN_ARGUMENT, type ProgramEffects, type ProgramClassifier } from "../programs/program-types.ts";
import { readers } from "../tables/readers.ts";
import type { Word } from "../words/word.ts";

const FILES = /^--(slurpfile|rawfile)$/;

/** Classifies `jq`. After some of its flags come a name and a value, or a name and a file. */
export const jq: ProgramClassifier = ({ words }) => {
  const rest: Word[] = [];
  const paths: ProgramEffects["paths"] = [];
  const end = words.findIndex(({ kind, text }) => kind === "literal" && text === "--");
  for (let i = 0; i < words.length; i++) {
    const word = words[i];
    const value = words[i + 2];
    const takesTwo =
      (end < 0 || i < end) && word?.kind === "literal" && value !== undefined && /^--(arg|argjson|slurpfile|rawfile)$/.test(word.text);
    if (takesTwo && ![words[i + 1], value].every(isOne)) return doubtful(UNKNOWN_ARGUMENT);
    if (takesTwo && FILES.test(word.text)) paths.push({ word: value, use: "reads" });
    if (takesTwo) i += 2;
    else if (word) rest.push(word);
  }
  if (rest.some(({ text }) => RISKY_ARGUMENTS.test(text))) return doubtful("has a program of jq that loads another file");
  const { effects, sorted } = readCall(readers["jq"], rest);
  const [program] = sorted.operands;
  if (program && /^(\*|$)/.test(program.kind === "open" ? program.prefix : program.text)) return doubtful(UNKNOWN_ARGUMENT);
  const isPlain = !rest.some(({ text }) => ENVIRONMENT.test(text)) && !hasFlag(sorted, "-f --from-file"); // its program is in a file
  return { ...effects, reads: effects.reads && isPlain, paths: [...effects.paths, ...paths] };
};

/** True if the word is one argument: not none, and not several. */
const isOne = (word: Word | undefined): boolean => word?.kind === "literal" || (word?.kind === "open" && word.single);

const RISKY_ARGUMENTS = /(^|[^.\w"$])(import|include)\b/;
const ENVIRONMENT = /(^|[^.\w"])(env(?!\s*:)\b)|\$ENV\b/;
