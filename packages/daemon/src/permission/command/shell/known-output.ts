import { existsSync } from "node:fs";
import path from "node:path";
import { pipelineOf, printsNumber, textOf } from "./number-output.ts";
import type { Command, Script } from "./parse.ts";
import type { ShellContext } from "./shell-context.ts";
import { MAKES_SCRATCH, NEW_SCRATCH } from "../files/scratch-files.ts";
import { aNumber, readWord, type Reading, type Value } from "./word.ts";

/** The text that `cat <<'END' ...` prints: the way in which long texts are passed to a command. Nothing of it needs a judgement. */
export function hereDocOf(script: Script): Value | undefined {
  const [only, ...more] = script.commands;
  const command = only?.command;
  if (more.length > 0 || only?.background || command?.type !== "Command" || command.name?.text !== "cat") return undefined;
  const [doc, ...rest] = [...command.prefix, ...command.suffix];
  if (rest.length > 0 || doc?.type !== "HereDoc" || doc.closing === undefined) return undefined;
  if (doc.delimiter?.quoted) return { text: doc.body.text };
  return doc.body.parts === undefined && !doc.body.text.includes("\\") ? { text: doc.body.text } : undefined;
}

/** The text that the commands of a substitution print, or an example of it where only its form is certain. */
export function knownOutput(script: Script, context: ShellContext, reading: Omit<Reading, "inner">): Value | undefined {
  if (printsNumber(script)) return aNumber;
  const [only, ...more] = pipelineOf(script);
  return only?.type === "Command" && more.length === 0 && isQuiet(only) ? printedBy(only, context, reading) : undefined;
}

function printedBy(node: Command, context: ShellContext, reading: Omit<Reading, "inner">): Value | undefined {
  const text = textOf(node);
  const [cwd, ...others] = context.cwds;
  const isSure = cwd !== undefined && others.length === 0 && !context.assigned.times.has("PWD");
  if (text === "pwd") return isSure ? { text: cwd } : undefined;
  if (text === "git rev-parse --show-toplevel") {
    const root = isSure ? repositoryOf(cwd) : undefined;
    return root === undefined ? undefined : { text: root };
  }
  if (COMMIT.test(text)) return aCommit;
  if (text.startsWith("mktemp") && MAKES_SCRATCH.test(text.slice(6))) return { text: NEW_SCRATCH, isExample: true };
  const program = node.name?.text;
  if (program !== "basename" && program !== "dirname") return undefined;
  const words = node.suffix.flatMap((word) =>
    word.type === "Word" ? readWord(word, { ...reading, doubt: () => {}, inner: () => undefined }) : [],
  );
  const [name, suffix, ...more] = words.map((word) => (word.kind === "literal" && word.written === undefined ? word.text : "-"));
  if (name === undefined || /^-|^$/.test(name) || suffix?.startsWith("-") || more.length > 0) return undefined;
  if (program === "dirname") return suffix === undefined ? { text: path.posix.dirname(name) } : undefined;
  const base = path.posix.basename(name);
  if (base === "") return undefined; // it is the root
  return { text: suffix !== undefined && suffix !== base && base.endsWith(suffix) ? base.slice(0, base.length - suffix.length) : base };
}

/** Programs that print the name of one commit. A name of a branch or tag in its place could be read as a flag. */
const COMMIT =
  /^git (merge-base( --fork-point| --octopus)?( [\w./@^~$][\w./@^~$-]*)+|rev-parse( --short(=\d+)?| --verify| -q| --quiet)* (HEAD|@)([~^]\d*)*|rev-list (-1|-n ?1|--max-count=1|--max-parents=0)( [\w./@^~][\w./@^~-]*)+|log (-1|-n ?1) --(format|pretty)=(format:)?%[hH]( [\w./@^~][\w./@^~-]*)*|log --(format|pretty)=(format:)?%[hH] (-1|-n ?1)( [\w./@^~][\w./@^~-]*)*)$/;
const aCommit: Value = { text: "5f7e9d1c3b2a4f6e8d0c1b3a5f7e9d1c3b2a4f6e", isExample: true };

/** Whether nothing but the text of errors goes elsewhere. */
const isQuiet = ({ suffix }: Command): boolean =>
  suffix.every(
    (each) =>
      each.type === "Word" ||
      (each.type === "Redirect" &&
        each.operator === ">" &&
        each.descriptor?.type === "FileDescriptor" &&
        each.descriptor.value === 2 &&
        each.target?.value === "/dev/null"),
  );

/** The nearest folder with a `.git`, as git finds it. */
function repositoryOf(folder: string): string | undefined {
  if (existsSync(path.join(folder, ".git"))) return folder;
  const parent = path.dirname(folder);
  return parent === folder ? undefined : repositoryOf(parent);
}
