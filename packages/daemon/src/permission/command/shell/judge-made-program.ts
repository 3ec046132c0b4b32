import path from "node:path";
import { matchesWildcard } from "@baton/core/permission/wildcard";
import { mention } from "../files/mentioned-paths.ts";
import type { GateFindings } from "../gate-findings.ts";
import { roughWordsOf } from "../programs/alternative-texts.ts";
import type { NamedPath } from "../programs/program-types.ts";
import type { WrittenText } from "../programs/printed-text.ts";
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
  const script = readsCode(base) ? rest.find(({ text }) => !text.startsWith("-")) : undefined;
  const named = base === "make" ? rest.map(({ text }) => text.replace(/^(-f|--(make)?file=)/, "")) : [];
  const texts = [name, script?.text, ...named, ...(Object.hasOwn(RUN_FILES, base) ? (RUN_FILES[base] ?? []) : [])];
  const found = texts.flatMap((text) => (text === undefined ? [] : cwds.map((cwd) => path.resolve(cwd, text))));
  const pattern = script?.kind === "pattern" ? script.text.replaceAll(/\[[^\]]*\]/g, "?") : name;
  return [...files].filter((file) => found.includes(file) || cwds.some((cwd) => matchesWildcard(path.resolve(cwd, pattern), file)));
}

/**
 * Judges a program that runs files which the text itself has made. `files` is empty if this is not certain. Then only limits apply to the
 * paths in the text. A shell script and the recipes of a Makefile count like commands of the text.
 */
export function judgeMadeProgram(program: Runner, files: readonly string[], look: JudgeOptions): void {
  const { context, findings } = look;
  const isMade = files.length > 0;
  const touched = isMade ? findings : { ...findings, accesses: [], doubts: new Set<string>() };
  // The commands of such files are judged on their own. A dot or a slash in the text is mostly a part of an expression.
  const isRead = Object.hasOwn(RUN_FILES, program.base) || isShell(program.base);
  const paths = roughWordsOf(context.place.text).flatMap(({ text }) => (isRead && !/\w/.test(text) ? [] : mention(text)));
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

/** Judges the commands that the text has written into these files. Asks if the program would run anything else. */
function judgeWrittenCommands({ base }: Runner, files: readonly string[], { context, findings, walkText }: JudgeOptions): void {
  const all = findings.written.filter(({ isCode }) => isCode !== true);
  const isOwn = (each: WrittenText) => files.some((file) => each.files?.includes(path.basename(file)));
  const written = all.filter((each) => each.files === undefined || isOwn(each) || !all.some(isOwn));
  const isScript = isShell(base) || !readsCode(base);
  const isOfOtherProgram = !isShell(base) && written.length > 0 && written.every(({ text }) => OTHER_SHEBANG.test(text));
  if (Object.hasOwn(RUN_FILES, base)) {
    const recipes = written.flatMap(({ text }) => [...text.matchAll(RECIPE)].map(([, recipe = ""]) => recipe));
    for (const recipe of recipes) walkText(recipe.replaceAll("$$", "$"), { ...context, also: [] });
  } else if (isScript && !isOfOtherProgram) {
    const isWhole = written.length === 1 || written.every(({ text }) => /(^|[^\\])\n$/.test(text) && !text.includes("<<"));
    const isStrange = !isShell(base) && written.some(({ text }) => text.startsWith("#!") && !SHELL_SHEBANG.test(text));
    if (isStrange || !isWhole || written.some(({ isKnown }) => !isKnown) || files.some((file) => findings.computed.has(file)))
      findings.doubts.add("runs a script that the text writes, and that is known only when it runs");
    for (const { text } of written) if (!/^(#.*\n?|\s+)*$/.test(text)) walkText(text, { ...context, also: [] });
  }
}

const SHELL_SHEBANG = /^#! ?(\/usr)?(\/local)?\/bin\/(env )?(ba|da)?sh( -[eux]+)?$/m;
const OTHER_SHEBANG = /^#!(?!.*sh\b) ?\/(usr\/)?(local\/)?bin\/(env (-S )?)?(python|node|ruby|perl|php|lua|deno|bun|tsx|npx|uv)/;
/** A line of a recipe in a Makefile, also one behind a rule: `all: ; rm x`. */
const RECIPE = /^(?:\t|[^\s=]+\s*:[^=;\n]*;)[-@+ ]*(.+)$/gm;
