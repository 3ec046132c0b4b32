import path from "node:path";
import { pathsInWord } from "../files/mentioned-paths.ts";
import { parseArguments } from "../programs/parse-arguments.ts";
import { doubtful, UNKNOWN_ARGUMENT, type NamedPath, type ProgramClassifier } from "../programs/program-types.ts";
import { isQuietScript } from "./sed-script.ts";
import { isQuietProgram } from "./awk-program.ts";
import type { Table } from "../tables/argument-table.ts";
import { literal, type Word } from "../words/word.ts";

/** Returns the file in which `sed -i.bak` keeps the old text of a file. For a glob, returns the whole folder. */
function backupOf(word: Word, ending: string): NamedPath[] {
  if (word.kind === "open") return [];
  if (word.kind === "pattern") return [{ word: literal(path.dirname(word.text)), use: "edits", search: { fills: true } }];
  return [{ word: literal(word.text + ending), use: "edits" }];
}

const sedTable: Table = {
  flags: "-n -E -r -s -u -z --quiet --silent --regexp-extended --separate --posix --debug --unbuffered --null-data",
  attached: "-i --in-place",
  valued: "-e --expression -l --line-length",
  runs: "-f --file",
};

/** Classifies `sed`. Its script may write files and run programs. `-i` changes the files that the call names. */
export const sed: ProgramClassifier = ({ words }) => {
  const sorted = parseArguments(sedTable, words);
  const inPlace = sorted.occurrences.filter(({ flag }) => flag === "-i" || flag === "--in-place");
  if (inPlace.some(({ value }) => value && /[/*]/.test(value.text))) return doubtful("keeps what it changes under another path");
  if (sorted.unknown.length > 0 || sorted.runs.length > 0)
    return doubtful(`${[...sorted.unknown, ...sorted.runs][0]} is not judged for sed`);
  // For BSD, `-l` has no value, and the next word is the script.
  if (sorted.occurrences.some(({ flag, value }) => flag === "-l" && !/^\d+$/.test(value?.text ?? "")))
    return doubtful("-l is not judged for sed");
  if (sorted.isOpen) return doubtful(UNKNOWN_ARGUMENT);
  const named = sorted.occurrences.flatMap(({ flag, value }) => (flag === "-e" || flag === "--expression" ? [value] : []));
  // `-i ''` has no ending for BSD. For GNU, the script is empty, and the next word is a file.
  const isEmpty = inPlace.length > 0 && sorted.operands[0]?.text === "";
  const operands = isEmpty ? sorted.operands.slice(1) : sorted.operands;
  const file = isEmpty ? operands.slice(0, 1).flatMap(pathsInWord) : [];
  const scripts = named.length === 0 ? operands.slice(0, 1) : named;
  // sed joins the values of several `-e` flags into one script, one per line.
  const script = scripts.map((word) => (word === undefined || word.kind === "open" ? "\0" : word.text)).join("\n");
  if (script === "" || !isQuietScript(script) || !scripts.every(isQuietForNames))
    return doubtful("has a script of sed that may write or run something");
  const files = named.length === 0 ? operands.slice(1) : operands;
  const isChanging = inPlace.length > 0;
  const backups = inPlace.flatMap(({ value }) => (value ? files.flatMap((word) => backupOf(word, value.text)) : []));
  return {
    reads: !isChanging,
    paths: [
      ...files.flatMap((word): NamedPath[] => [...(isChanging ? [{ word, use: "edits" as const }] : []), { word, use: "reads" }]),
      ...backups,
      // If a pattern as the script matches several names, all but the first are files.
      ...scripts.flatMap((word): NamedPath[] =>
        word?.kind === "pattern" ? [{ word, use: "mentions", search: { suspected: isChanging } }] : [],
      ),
      ...file.map((each) => ({ ...each, use: "edits" as const })),
    ],
    doubts: [],
    ...(isChanging ? { onlyEdits: true as const } : {}),
  };
};

/**
 * True unless the name of a file in the place of `*` may end a part of the script. Every character but a slash may be in a name. A line end only
 * matters where the script has a text.
 */
function isQuietForNames(word: Word | undefined): boolean {
  if (word?.kind !== "pattern") return true;
  const signs = new Set(`;${NO_TEXT.test(word.text) ? "" : "\n"}${word.text.replaceAll("/", "")}`);
  return [...signs].every((sign) => isQuietScript(word.text.replaceAll("*", `*${sign}w x`)));
}

/** A script with one command, which has no text. */
const NO_TEXT = /^(s\/[^;]*|\/[^;/]*\/[pd])$/;

const AWK_CODE = "-f -i -l -e -E --file --include --load --source --exec -o -p -d -D";
const awkTable: Table = { flags: "", valued: "-F -v --field-separator --assign", runs: AWK_CODE };

/** Classifies `awk`. Its program may write files, run programs and open connections. */
export const awk: ProgramClassifier = ({ words }) => {
  const sorted = parseArguments(awkTable, words);
  if (sorted.unknown.length > 0 || sorted.runs.length > 0)
    return doubtful(`${[...sorted.unknown, ...sorted.runs][0]} is not judged for awk`);
  const [program, ...files] = sorted.operands;
  if (sorted.isOpen || program?.kind !== "literal") return doubtful(UNKNOWN_ARGUMENT);
  if (!isQuietProgram(program.text)) return doubtful("has a program of awk that may write or run something");
  const paths = files.filter((word) => !/^[A-Za-z_]\w*=/.test(word.text)).map((word) => ({ word, use: "reads" as const }));
  const streams = program.text.match(/\/dev\/std(out|err)/g) ?? []; // some versions of awk open such a file anew
  return { reads: true, paths: [...paths, ...streams.map((name) => ({ word: literal(name), use: "writes" as const }))], doubts: [] };
};
