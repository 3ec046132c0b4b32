import { hasFlag } from "../programs/parse-arguments.ts";
import { readCall } from "../programs/classify-by-table.ts";
import { doubtful, UNKNOWN_ARGUMENT, type ProgramClassifier } from "../programs/program-types.ts";
import { readers } from "../tables/readers.ts";

/** Classifies `jq`. Its program may read the environment, or load another file. */
export const jq: ProgramClassifier = ({ words }) => {
  if (words.some(({ text }) => RISKY_ARGUMENTS.test(text))) return doubtful("has a program of jq that loads another file");
  const { effects, sorted } = readCall(readers["jq"], words);
  const [program] = sorted.operands;
  if (program && program.kind !== "literal") return doubtful(UNKNOWN_ARGUMENT); // any text may become a part of the program
  const isPlain = !sorted.operands.some(({ text }) => ENVIRONMENT.test(text)) && !hasFlag(sorted, "-f --from-file"); // its program is in a file
  return { ...effects, reads: effects.reads && isPlain };
};

const RISKY_ARGUMENTS = /(^|[^.\w"$])(import|include|modulemeta|get_search_list)\b/;
/** The environment of the program. `env:` is the name of a field, but not between square brackets. */
const ENVIRONMENT = /(?<![.\w"])env\b(?!\s*:)|(?<![.\w"]|[{,]\s*)env\s*:|\[[^{}]*(?<![.\w"])env\s*:|\$(\s|#.*\n)*ENV\b/;
