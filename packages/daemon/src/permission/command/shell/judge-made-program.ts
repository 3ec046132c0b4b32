import path from "node:path";
import { mention } from "../files/mentioned-paths.ts";
import type { GateFindings } from "../gate-findings.ts";
import { roughWordsOf } from "../programs/alternative-texts.ts";
import type { NamedPath } from "../programs/program-types.ts";
import { isShell, readsCode } from "../programs/shell-program.ts";
import type { Word } from "../words/word.ts";
import { judgePath } from "./judge-path.ts";
import type { ShellContext } from "./shell-context.ts";
import type { JudgeOptions } from "./walker-types.ts";

/** A program that may run a file of the text. */
type Runner = { name: string; base: string; rest: readonly Word[] };

/** Files with commands that a program runs without an argument that names them. */
const RUN_FILES: Readonly<Record<string, readonly string[]>> = {
  make: ["Makefile", "makefile", "GNUmakefile"],
  just: ["justfile", "Justfile", ".justfile"],
  ...Object.fromEntries(["npm", "pnpm", "yarn", "bun"].map((name) => [name, ["package.json"]])),
};

/** Returns the files that are among those of the text, and that the program is, runs as a script, or takes its commands from. */
export function filesRunBy({ name, base, rest }: Runner, files: ReadonlySet<string>, { cwds }: ShellContext): string[] {
  const script = readsCode(base) ? rest.find(({ text }) => !text.startsWith("-"))?.text : undefined;
  const named = base === "make" ? rest.map(({ text }) => text.replace(/^(-f|--(make)?file=)/, "")) : [];
  const texts = [name, script, ...named, ...(Object.hasOwn(RUN_FILES, base) ? (RUN_FILES[base] ?? []) : [])];
  return texts.flatMap((text) => (text === undefined ? [] : cwds.map((cwd) => path.resolve(cwd, text)).filter((file) => files.has(file))));
}

/**
 * Judges a program that runs files which the text itself has made. `files` is empty if this is not certain. Then only limits apply to the
 * paths in the text. A shell script and the recipes of a Makefile count like commands of the text.
 */
export function judgeMadeProgram(program: Runner, files: readonly string[], look: JudgeOptions): void {
  const { context, findings } = look;
  const isMade = files.length > 0;
  const touched = isMade ? findings : { ...findings, accesses: [], doubts: new Set<string>() };
  const paths = roughWordsOf(context.place.text).flatMap(({ text }) => mention(text));
  for (const named of paths) judgePath(named, context, touched);
  if (!isMade) findings.accesses.push(...touched.accesses.map(({ floor: _, ...each }) => ({ ...each, suspected: true as const })));
  if (!isMade) return;
  const edited: GateFindings = { ...findings, accesses: [], doubts: new Set() };
  for (const named of paths) judgePath({ ...named, search: { suspected: true } }, context, edited);
  findings.accesses.push(...edited.accesses.filter(({ action }) => action === "edit"));
  judgeWrittenCommands(program, files, look);
}

/** Judges the names that come in from other commands. A program may read the files of these names, so limits on them apply. */
export function judgeNamesInInput({ base, rest }: Runner, { context, findings }: JudgeOptions): void {
  const isFed = context.fed === "pipe" || context.fed === "text";
  if (!isFed || (base === "git" && !rest.some(({ text }) => TAKES_PATHS.test(text)))) return;
  const read: GateFindings = { ...findings, accesses: [], doubts: new Set() };
  for (const { text, patterns = [] } of findings.written)
    for (const named of [...patterns.map(mentioned), ...roughWordsOf(text).flatMap((word) => mention(word.text))])
      judgePath(base === "git" ? { ...named, search: { suspected: true } } : named, context, read); // git may also change them
  for (const { floor: _, ...access } of read.accesses) findings.accesses.push({ ...access, suspected: true });
}

const mentioned = (word: Word): NamedPath => ({ word, use: "mentions" });

/** Flags with which git takes the names of files from its input. */
const TAKES_PATHS = /^--(stdin-paths|pathspec-from-file|batch)/;

/** Judges the commands that the text has written into these files. Asks if a shell would run anything else. */
function judgeWrittenCommands({ base }: Runner, files: readonly string[], { context, findings, walkText }: JudgeOptions): void {
  const { written, computed } = findings;
  const isScript = isShell(base) || !readsCode(base);
  const isOfOtherProgram = !isShell(base) && written.some(({ text }) => OTHER_SHEBANG.test(text));
  if (Object.hasOwn(RUN_FILES, base)) {
    const recipes = written.flatMap(({ text }) => [...text.matchAll(RECIPE)].map(([, recipe = ""]) => recipe));
    for (const recipe of recipes) walkText(recipe.replaceAll("$$", "$"), { ...context, also: [] });
  } else if (isScript && !isOfOtherProgram) {
    const isWhole = written.length === 1 || written.every(({ text }) => text.endsWith("\n"));
    if (!isWhole || written.some(({ isKnown }) => !isKnown) || files.some((file) => computed.has(file)))
      findings.doubts.add("runs a script that the text writes, and that is known only when it runs");
    for (const { text } of written) walkText(text, { ...context, also: [] });
  }
}

const OTHER_SHEBANG = /^#!(?!.*\b(ba|da)?sh\b)/;
/** A line of a recipe in a Makefile, also one behind a rule: `all: ; rm x`. */
const RECIPE = /^(?:\t|[^\s=]+\s*:[^=;\n]*;)[-@+ ]*(.+)$/gm;
