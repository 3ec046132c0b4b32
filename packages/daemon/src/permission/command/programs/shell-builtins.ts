import { HARMLESS, UNKNOWN_ARGUMENT, doubtful, type ProgramClassifier } from "./program-types.ts";
import { harmlessSetting, harmlessVariable, ownVariable } from "../words/harmless-variables.ts";
import type { Word } from "../words/word.ts";
import { wordSet } from "../tables/name-matcher.ts";

/** Shell builtins that change what later words mean, or that run text. Baton cannot judge the commands after them. */
export const STEERING = wordSet(`eval source . alias unalias trap typeset readonly shopt enable hash bind complete compgen
  compopt let getopts fc history jobs fg bg disown pushd popd dirs umask ulimit logout suspend caller times`);

/** Classifies `export NODE_ENV=test`, which sets variables for the programs that start after it. */
export const exporting: ProgramClassifier = ({ words }) => {
  const isPlain = words.every(({ kind, text }) => {
    const [, name = "", value] = /^(\w+)(?:=(.*))?$/s.exec(text) ?? [];
    return kind === "literal" && (value === undefined ? harmlessVariable(name) : harmlessSetting(name, value));
  });
  return isPlain ? HARMLESS : doubtful("export sets a variable that may steer what follows");
};

/** The flags of builtins that set variables. `mapfile -C` would run a command. */
const SETTING_FLAGS: Readonly<Record<string, RegExp>> = {
  read: /^(-[ars]+( |$))*/,
  mapfile: /^(-t |-d ? |-[ns] ?\d+ )*/,
  unset: /^(-v )?/,
  declare: /^-A /,
};

/** Classifies `read -r line`, `mapfile -t lines`, `unset name`, `local name` and `declare -A list`, which set variables of the script. */
export const assigning: ProgramClassifier = ({ name, words }) => {
  const call = words.map(({ kind, text }) => (kind === "literal" ? text : "$")).join(" ");
  const names = call.replace(SETTING_FLAGS[name] ?? "", "");
  const isPlain =
    (name === "read" && names === "") || names.split(" ").every((each) => each === "_" || (/^\w+$/.test(each) && ownVariable(each)));
  return isPlain ? HARMLESS : doubtful("sets a variable that may steer what follows");
};

/** Classifies `printf 'format' words`, which prints. `-v` and `%n` would set a variable. */
export const printf: ProgramClassifier = ({ words: [first, second] }) => {
  const format = first?.text === "--" ? second : first;
  const isFormat = format?.kind === "literal" && (format !== first || !format.text.startsWith("-"));
  return isFormat && !/%[-#'+ \d.*hjlLtz]*n/.test(format.text.replaceAll("%%", "")) ? HARMLESS : doubtful(UNKNOWN_ARGUMENT);
};

/** True if a word may be `list[...]`, where the shell evaluates the text in the brackets. A test such as `-v` in front of it does so. */
const mayHoldPlace = (word: Word | undefined): boolean => word !== undefined && (word.kind !== "literal" || word.text.includes("["));

/** Tests of a file. */
export const TESTS_FILE = /^-[abcdefghkprstuwxGLNOS]$/;

/** Classifies `test` and `[`, which look at files and compare text. They can compare a variable only if nothing evaluates it. */
export const testCall: ProgramClassifier = ({ words }) => {
  if (words.some((word) => word.kind === "literal" && /^-[vRo]$/.test(word.text))) return doubtful("looks at a variable by its name");
  if (words.some((word) => word.kind === "open" && !word.single)) return doubtful(UNKNOWN_ARGUMENT);
  if (words.some((word, i) => word.kind !== "literal" && mayHoldPlace(words[i + 1]))) return doubtful("may look at a variable by its name");
  const paths = words.filter((_, i) => {
    const before = words[i - 1];
    return before?.kind === "literal" && TESTS_FILE.test(before.text) && words[i]?.kind !== "open";
  });
  return { reads: true, paths: paths.map((word: Word) => ({ word, use: "names" as const })), doubts: [] };
};

/**
 * Returns the text that `trap TEXT SIGNALS` runs later. Undefined if it only lists, ignores or resets signals. `isLast`: it runs only at the end of
 * the shell, so nothing comes after it.
 */
export function textOfTrap(words: readonly Word[]): { text: string; isLast: boolean } | undefined {
  const isMarked = words[0]?.text === "--"; // behind `--`, a text may begin with a dash
  const [first, ...signals] = isMarked ? words.slice(1) : words;
  const isReset = signals.length === 0 || (isMarked ? /^-?$/ : /^(-.*)?$/).test(first?.text ?? "");
  return first && !isReset ? { text: first.text, isLast: signals.every(({ text }) => /^(0|EXIT)$/i.test(text)) } : undefined;
}

/** Classifies `trap`. The gate judges its text as a script. */
export const trap: ProgramClassifier = ({ words }) => {
  if (words.some(({ kind }) => kind !== "literal")) return doubtful("trap runs text that is known only when it runs");
  return words.some(({ text }) => /^(SIG)?(DEBUG|RETURN)$/i.test(text)) ? doubtful("trap runs text between other commands") : HARMLESS;
};
