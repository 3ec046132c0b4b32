import type { ProgramClassifier, ProgramEffects } from "../programs/program-types.ts";

/** A pattern between slashes in which Perl finds neither a variable nor code. A dollar sign at its end means the end of the line. */
const PATTERN = String.raw`(?:[^/\\$@(]|\\[^\n]|\$(?=[)|/])|\((?!\s*(?:\?\??p?\{|\*)))*`;
const REPLACEMENT = String.raw`(?:[^/\\$@]|\\[^\n]|\$[1-9&](?![[{\d:-]))*`;
const CHANGES = new RegExp(`^(s/${PATTERN}/${REPLACEMENT}/[gimsx]*;? *)+$`);

const SHOWS = new RegExp(`^print (if|unless) /${PATTERN}/i?;? *$`);

/** A file name that Perl opens as a file. It takes a name that begins or ends with a character such as `|` for a command. */
const PLAIN_NAME = /^[\w./]([^\n]*\w)?$/;

/**
 * Classifies `perl -pi -e 's/a/b/g' FILE`, which applies substitutions to each line, and `perl -ne 'print if /a/' FILE`. Undefined for any other
 * code. In `-pie`, the `e` is the ending of the backup, and the code would be the name of a script.
 */
export const perlLine: (call: Parameters<ProgramClassifier>[0]) => ProgramEffects | undefined = ({ words }) => {
  const at = words.findIndex(({ text }) => /^-\w*e$/.test(text));
  const [code, ...files] = words.slice(at + 1);
  const flags = words.slice(0, at + 1).map(({ kind, text }) => (kind === "literal" ? text : "$"));
  if (at < 0 || code?.kind !== "literal" || !flags.every((flag) => /^-(?=.)(0(777)?)?[pn]*[ie]?$/.test(flag))) return undefined;
  if (!files.every(({ kind, text }) => kind !== "open" && PLAIN_NAME.test(text))) return undefined;
  const letters = flags.join("");
  const [isInPlace, isPrinting] = [letters.includes("i"), letters.includes("p")];
  if (isPrinting === letters.includes("n") || (!isPrinting && isInPlace)) return undefined;
  if (!(isPrinting ? CHANGES : SHOWS).test(code.text)) return undefined;
  const uses = isInPlace ? (["reads", "edits"] as const) : (["reads"] as const);
  const paths: ProgramEffects["paths"] = files.flatMap((word) => uses.map((use) => ({ word, use })));
  return { reads: !isInPlace, paths, doubts: [], ...(isInPlace ? { onlyEdits: true as const } : {}) };
};
