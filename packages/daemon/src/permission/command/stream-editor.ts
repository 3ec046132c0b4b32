import { sortArguments } from "./arguments.ts";
import { doubtful, OPEN, type Program } from "./program.ts";
import { isQuietScript } from "./sed-script.ts";
import type { Table } from "./table.ts";
import type { Word } from "./word.ts";

const sedTable: Table = {
  flags: "-n -E -r -s -u -z --quiet --silent --regexp-extended --separate --posix --debug",
  valued: "-e --expression -l",
  runs: "-f --file",
};

/** `sed`: its script may write files and run programs; `-i` changes the files that it names. */
export const sed: Program = ({ words }) => {
  const inPlace = words.find((word) => word.kind === "literal" && /^(-i|-[nErsz]+i|--in-place)/.test(word.text));
  if (inPlace && /[/*]/.test(inPlace.text)) return doubtful("keeps what it changes under another path");
  const isBackup = inPlace && words[words.indexOf(inPlace) + 1]?.text === "";
  const rest = words.filter((word) => word !== inPlace && !(isBackup && word.text === ""));
  const sorted = sortArguments(sedTable, rest);
  if (sorted.unknown.length > 0 || sorted.runs.length > 0)
    return doubtful(`${[...sorted.unknown, ...sorted.runs][0]} is not judged for sed`);
  if (sorted.isOpen) return doubtful(OPEN);
  const named = rest.flatMap((word, i) => (isExpression(rest[i - 1]) ? [word] : []));
  const attached = rest.flatMap((word) => (/^(--expression=|-e.)/.test(word.text) ? [word.text.replace(/^--expression=|^-e/, "")] : []));
  const isFirst = named.length + attached.length === 0;
  const scripts = [
    ...(isFirst ? sorted.operands.slice(0, 1) : named).map((word) => (word.kind === "open" ? "\0" : word.text)),
    ...attached,
  ];
  if (scripts.length === 0 || !scripts.every(isQuietScript)) return doubtful("has a script of sed that may write or run something");
  const files = isFirst ? sorted.operands.slice(1) : sorted.operands;
  return { reads: !inPlace, paths: files.map((word) => ({ word, use: inPlace ? ("edits" as const) : ("reads" as const) })), doubts: [] };
};

const isExpression = (word: Word | undefined): boolean => word?.kind === "literal" && /^(-[nErsz]*e|--expression)$/.test(word.text);

const awkTable: Table = {
  flags: "",
  valued: "-F -v --field-separator --assign",
  runs: "-f -i -l -e -E --file --include --load --source --exec -o -p -d -D",
};

/** `awk`: its program may write files, run programs and open connections. */
export const awk: Program = ({ words }) => {
  const sorted = sortArguments(awkTable, words);
  if (sorted.unknown.length > 0 || sorted.runs.length > 0)
    return doubtful(`${[...sorted.unknown, ...sorted.runs][0]} is not judged for awk`);
  const [program, ...files] = sorted.operands;
  if (sorted.isOpen || program?.kind !== "literal") return doubtful(OPEN);
  if (!isQuietProgram(program.text)) return doubtful("has a program of awk that may write or run something");
  const paths = files.filter((word) => !/^[A-Za-z_]\w*=/.test(word.text)).map((word) => ({ word, use: "reads" as const }));
  return { reads: true, paths, doubts: [] };
};

/** No calls of programs, no other input, no redirect after a print; `@` calls functions by name. Strings count as code. */
function isQuietProgram(text: string): boolean {
  const code = text.replaceAll("\\\n", " ").replaceAll("||", " OR ");
  if (/system|getline|fflush|close|extension|ARGV|ARGC|ENVIRON|PROCINFO|FUNCTAB|SYMTAB|@|\||\/inet|\/dev\//.test(code)) return false;
  // Without a slash there is no pattern in it, so a quote surely begins a text.
  const bare = code.includes("/") ? code : code.replaceAll(/"(?:\\.|[^"\\])*"/g, '""');
  const printing = bare.indexOf("print");
  return printing < 0 || !bare.includes(">", printing);
}
