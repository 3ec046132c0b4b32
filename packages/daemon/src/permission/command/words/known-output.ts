import path from "node:path";
import { numberOf, pipelineOf, textOf } from "./number-output.ts";
import type { Command, Script } from "../shell/parse.ts";
import type { ShellContext } from "../shell/shell-context.ts";
import { repositoryOf } from "../git/git-index.ts";
import { hasNoFlagLikeRefs } from "../git/flag-like-refs.ts";
import { realPath } from "../files/path-on-disk.ts";
import { MAKES_SCRATCH, NEW_SCRATCH } from "../files/scratch-files.ts";
import { A_COMMIT, A_REF, isCertain, readWord, type WordContext, type Value, type Word } from "./word.ts";

/** Returns the text that `cat <<'END' ...` prints. Long texts are often passed to a command in this way. The text needs no verdict. */
export function hereDocOf(script: Script): Value | undefined {
  const [only, ...more] = script.commands;
  const command = only?.command;
  if (more.length > 0 || only?.background || command?.type !== "Command" || command.name?.text !== "cat") return undefined;
  const [doc, ...rest] = [...command.prefix, ...command.suffix];
  if (rest.length > 0 || doc?.type !== "HereDoc" || doc.closing === undefined) return undefined;
  if (doc.delimiter?.quoted) return { text: doc.body.text };
  return doc.body.parts === undefined && !doc.body.text.includes("\\") ? { text: doc.body.text } : undefined;
}

/** Returns the text that the commands of a substitution print, or an example where only its form is certain. */
export function knownOutput(script: Script, context: ShellContext, reading: Omit<WordContext, "inner">): Value | undefined {
  const number = numberOf(script);
  if (number) return number;
  const [only, ...more] = pipelineOf(script);
  if (
    printsRefs([only, ...more].map(textOf)) &&
    context.cwds.every((cwd) => hasNoFlagLikeRefs(repositoryOf(cwd)?.root ?? cwd, context.place.text))
  )
    return { text: A_REF, isExample: true };
  return only?.type === "Command" && more.length === 0 ? printedBy(only, context, reading) : undefined;
}

function printedBy(node: Command, context: ShellContext, reading: Omit<WordContext, "inner">): Value | undefined {
  const text = textOf(node);
  const [cwd, ...others] = context.cwds;
  const isSure = cwd !== undefined && others.length === 0 && !context.assigned.times.has("PWD");
  if (text === "pwd") return isSure ? { text: cwd } : undefined;
  if (text === "git rev-parse --show-toplevel") {
    const root = isSure ? repositoryOf(cwd)?.root : undefined;
    return root === undefined ? undefined : { text: root };
  }
  if (COMMIT.test(text)) return { text: A_COMMIT, isExample: true };
  if (text.startsWith("mktemp") && !context.place.programs.has("mktemp") && MAKES_SCRATCH.test(text.slice(6)))
    return { text: NEW_SCRATCH, isExample: true };
  const program = node.name?.text;
  if (program !== "basename" && program !== "dirname" && program !== "realpath" && program !== "printf" && program !== "echo")
    return undefined;
  const words = node.suffix.flatMap((word) =>
    word.type === "Word" ? readWord(word, { ...reading, doubt: () => {}, inner: () => undefined }) : [],
  );
  if (program === "echo")
    return words.every(isPlainText) ? formatted([words.map(() => "%s").join(" "), ...words.map(({ text }) => text)]) : undefined;
  if (program === "printf") return words.every(isCertain) ? formatted(words.map(({ text }) => text)) : undefined;
  const [name, suffix, ...more] = words.map((word) => (word.kind === "literal" && word.written === undefined ? word.text : "-"));
  if (name === undefined || /^-|^$/.test(name) || suffix?.startsWith("-") || more.length > 0) return undefined;
  if (program === "realpath") {
    const real = isSure && suffix === undefined ? realPath(path.resolve(cwd, name)) : undefined;
    return real === undefined ? undefined : { text: real };
  }
  if (program === "dirname") return suffix === undefined ? { text: path.posix.dirname(name).replace(/(?<=[^/])\/+$/, "") } : undefined;
  const base = path.posix.basename(name);
  if (base === "") return undefined; // this is the root
  return { text: suffix !== undefined && suffix !== base && base.endsWith(suffix) ? base.slice(0, base.length - suffix.length) : base };
}

/** True for a word that `echo` prints as it is. */
const isPlainText = (word: Word): boolean => isCertain(word) && word.kind === "literal" && /^[\w./:@+][\w./:@+=-]*$/.test(word.text);

/** Returns what `printf` prints for a format of plain characters, texts and numbers, such as `%02d`. A number such as `010` is octal. */
function formatted([format = "", ...values]: string[]): Value | undefined {
  const kinds = format.match(/%(?:s|(?:0\d)?d)/g) ?? [];
  const fits = values.every((value, i) => kinds[i] === "%s" || /^(0[0-7]{0,8}|[1-9]\d{0,8})$/.test(value));
  if (!/^(?!-)([\w ./:-]|%s|%(0\d)?d)+$/.test(format) || kinds.length !== values.length || !fits) return undefined;
  const texts = values.map((value, i) => (kinds[i] === "%s" ? value : String(parseInt(value, value.startsWith("0") ? 8 : 10))));
  return { text: format.replaceAll(/%(?:s|(?:0(\d))?d)/g, (_, width = "0") => (texts.shift() ?? "").padStart(Number(width), "0")) };
}

/** Programs that print the name of one commit. If they printed the name of a branch or tag, it could be read as a flag. */
const COMMIT =
  /^git (merge-base( --fork-point| --octopus)?( [\w./@^~$][\w./@^~$-]*)+|rev-parse( --short(=\d+)?| --verify| -q| --quiet)* (HEAD|@)([~^]\d*)*|rev-list (-1|-n ?1|--max-count=1|--max-parents=0)( [\w./@^~][\w./@^~-]*)+|log (-1|-n ?1) --(format|pretty)=(format:)?%[hH]( [\w./@^~][\w./@^~-]*)*|log --(format|pretty)=(format:)?%[hH] (-1|-n ?1)( [\w./@^~][\w./@^~-]*)*)$/;
/** True if a pipeline prints only names of branches and tags. */
const printsRefs = ([first = "", ...filters]: readonly string[]): boolean =>
  REFS.test(first) && filters.every((filter) => /^((head|tail) -(n ?)?\d+|sort( -[rVu]+)*|grep -v [\w/.][\w/.-]*)$/.test(filter));
const REFS =
  /^git (branch( -r| -a)? --format=%\(refname:short\)|(tag|for-each-ref --format=%\(refname:short\))( -l|--list| --sort=-?[\w:]+| --count=\d+| refs\/(heads|tags)\/?)*|describe( --(tags|always|dirty|long|abbrev=\d+|exact-match))*|rev-parse --abbrev-ref (HEAD|@)|branch --show-current|symbolic-ref --short HEAD)$/;
