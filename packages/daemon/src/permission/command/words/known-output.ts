import { numberOf } from "./number-output.ts";
import { pipelineOf, plainBody, redirectsOf, textOf } from "./pipelines.ts";
import type { Command, Script } from "../shell/parse.ts";
import type { ShellContext } from "../shell/shell-context.ts";
import { repositoryOf } from "../git/git-index.ts";
import { MAKES_SCRATCH, NEW_SCRATCH } from "../files/scratch-files.ts";
import { A_COMMIT, type Value } from "./word.ts";

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
export function knownOutput(script: Script, context: ShellContext): Value | undefined {
  const number = numberOf(script);
  if (number) return number;
  const [only, ...more] = pipelineOf(script);
  return only?.type === "Command" && more.length === 0 ? printedBy(only, context) : undefined;
}

function printedBy(node: Command, context: ShellContext): Value | undefined {
  if (redirectsOf(node).some(({ operator }) => operator === "<")) return undefined; // without the file, it prints nothing
  const text = textOf(node);
  const [cwd, ...others] = context.cwds;
  const isSure = cwd !== undefined && others.length === 0 && !context.assigned.times.has("PWD");
  const folder = text === "pwd" ? cwd : text === "git rev-parse --show-toplevel" ? repositoryOf(cwd ?? "")?.root : undefined;
  if (folder !== undefined) return isSure ? { text: folder } : undefined;
  if (COMMIT.test(text)) return { text: A_COMMIT, isExample: true, several: /^git log.* -(n ?)?(?!1( |$))\d/.test(text) };
  if (text.startsWith("mktemp") && !context.place.programs.has("mktemp") && MAKES_SCRATCH.test(text.slice(6)))
    return { text: NEW_SCRATCH, isExample: true, isSure: true };
  return undefined;
}

/** Programs that print the name of one commit. If they printed the name of a branch or tag, it could be read as a flag. */
const COMMIT =
  /^git (merge-base( --fork-point| --octopus)?( [\w./@^~$][\w./@^~$-]*)+|rev-parse( --short(=\d+)?| --verify| -q| --quiet)* (HEAD|@)([~^]\d*)*|rev-list (-1|-n ?1|--max-count=1|--max-parents=0)( [\w./@^~][\w./@^~-]*)+|log -(n ?)?\d+ --(format|pretty)=(format:)?%[hH]( [\w./@^~][\w./@^~-]*)*|log --(format|pretty)=(format:)?%[hH] -(n ?)?\d+( [\w./@^~][\w./@^~-]*)*)$/;
