import path from "node:path";
import { numberOf } from "./number-output.ts";
import { pipelineOf, plainBody, textOf } from "./pipelines.ts";
import type { Command, Script } from "../shell/parse.ts";
import type { ShellContext } from "../shell/shell-context.ts";
import { repositoryOf } from "../git/git-index.ts";
import { MAKES_SCRATCH, NEW_SCRATCH } from "../files/scratch-files.ts";
import { A_COMMIT, isCertain, readWord, type WordContext, type Value } from "./word.ts";

/** Returns the text that `cat <<'END' ...` prints. Long texts are often passed to a command in this way. The text needs no verdict. */
export function hereDocOf(script: Script): Value | undefined {
  const [only, ...more] = script.commands;
  const command = only?.command;
  if (more.length > 0 || only?.background || command?.type !== "Command" || command.name?.text !== "cat") return undefined;
  const [doc, ...rest] = [...command.prefix, ...command.suffix];
  if (rest.length > 0 || doc?.type !== "HereDoc" || doc.closing === undefined) return undefined;
  const text = plainBody(doc);
  return text === undefined ? undefined : { text };
}

/** Returns the text that the commands of a substitution print, or an example where only its form is certain. */
export function knownOutput(script: Script, context: ShellContext, reading: Omit<WordContext, "inner">): Value | undefined {
  const number = numberOf(script);
  if (number) return number;
  const [only, ...more] = pipelineOf(script);
  return only?.type === "Command" && more.length === 0 ? printedBy(only, context, reading) : undefined;
}

function printedBy(node: Command, context: ShellContext, reading: Omit<WordContext, "inner">): Value | undefined {
  const text = textOf(node);
  const [cwd, ...others] = context.cwds;
  const isSure = cwd !== undefined && others.length === 0 && !context.assigned.times.has("PWD");
  const folder = text === "pwd" ? cwd : text === "git rev-parse --show-toplevel" ? repositoryOf(cwd ?? "")?.root : undefined;
  if (folder !== undefined) return isSure ? { text: folder } : undefined;
  if (COMMIT.test(text)) return { text: A_COMMIT, isExample: true, several: /^git log.* -(n ?)?(?!1( |$))\d/.test(text) };
  if (text.startsWith("mktemp") && !context.place.programs.has("mktemp") && MAKES_SCRATCH.test(text.slice(6)))
    return { text: NEW_SCRATCH, isExample: true };
  const program = node.name?.text ?? "";
  if (!/^(basename|dirname|printf)$/.test(program)) return undefined;
  const plain = { ...reading, doubt: () => {}, inner: () => undefined };
  const words = node.suffix.flatMap((word) => (word.type === "Word" ? readWord(word, plain) : []));
  if (words.length === 0 || !words.every(isCertain)) return undefined;
  const texts = words.map((word) => word.text);
  if (program === "printf") return formatted(texts);
  const [name = "", suffix, ...rest] = texts;
  if (/^-|^$/.test(name) || suffix?.startsWith("-") || rest.length > 0) return undefined;
  const base = path.posix.basename(name);
  if (program === "basename" && base !== "") return { text: suffix === base ? base : path.posix.basename(base, suffix) };
  return program === "dirname" && suffix === undefined ? { text: path.posix.dirname(name).replace(/(?<=[^/])\/+$/, "") } : undefined;
}

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
  /^git (merge-base( --fork-point| --octopus)?( [\w./@^~$][\w./@^~$-]*)+|rev-parse( --short(=\d+)?| --verify| -q| --quiet)* (HEAD|@)([~^]\d*)*|rev-list (-1|-n ?1|--max-count=1|--max-parents=0)( [\w./@^~][\w./@^~-]*)+|log -(n ?)?\d+ --(format|pretty)=(format:)?%[hH]( [\w./@^~][\w./@^~-]*)*|log --(format|pretty)=(format:)?%[hH] -(n ?)?\d+( [\w./@^~][\w./@^~-]*)*)$/;
