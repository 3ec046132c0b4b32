import { spawnSync } from "node:child_process";
import type { ShellContext } from "../../src/permission/command/shell/shell-context.ts";
import { parseShell } from "../../src/permission/command/shell/parse.ts";
import { wordContextAt } from "../../src/permission/command/words/known-variables.ts";
import { ARGUMENTS, literal, readWord, type Word } from "../../src/permission/command/words/word.ts";
import { randomFrom } from "./nesting.ts";

/** Pieces of words that the shell and a parser may read in different ways. `~` alone, quotes, escapes, braces and variables. */
const PIECES = [
  ..."a b 1 - = ~ / . : , # ! ^ % + @ [ ] { } \\\n \\{ \\} \\, \\a \\\\ \\$ \\' {a,b} {a, {, {,} {,x} {a} {z} {1..3} {3..1} {a..c} {01..3} {a\\,b} \\{a,b}".split(
    " ",
  ),
  ..."$'\\x41' $'\\101z' $'\\400' $'\\x{41}' $'\\x4' $'\\18' $'\\e' $'\\q' $'\\8' $'\\u20ac' $'\\ud800' $'\\xc3' $'\\xa9' $'a\\'b'".split(
    " ",
  ),
  ...'$x "$x" ${x} ${x}y $x1 $xa $y "$y" ${x%b} ${x##*a} "${x%%b*}" ${x#*b} "${y% *}" "${x%b}" ${x%\'b\'} ${x%$y} "$@" $@ "${@}" $1 ${x/b/c} ${x//a/} ${x^^} ${x:1} ${l[0]} "${l[1]}" "${l[@]}" ${l} \'\' "" \'a\' "a"'.split(
    " ",
  ),
  ..."$(pwd) $(dirname\ta//b) $(basename\ta/) $(basename\tsrc/a.ts\t.ts) $(dirname\ta) $HOME ~/ a=~ ~+ \"~\" '\\'".split(" "),
  ..."{a,{b,c}} {a,b/{c,d}e} {x{1,2}y{3,4},z} {{a,b},c} {a,{b}} {,{a,}} $(printf\t%s-%02d\ta\t7) $(printf\t%03d\t010) $(printf\t%d\t08)".split(
    " ",
  ),
  "{a,b\\ c}",
  "$",
  "$'a\\\nb'",
  "$'#\\\n'",
  " ",
  "'b c'",
  '"\\\n"',
  "\t",
];

const VARIABLES = [
  ["HOME", "/nowhere"],
  ["x", "abab"],
  ["y", "b c"],
  ["l[0]", "l0"],
  ["l[1]", "l 1"],
  ["1", "a 1"],
  ["2", "b"],
  [ARGUMENTS, "2"],
] as const;
const SETUP = `HOME=/nowhere; x=abab; y='b c'; l=(l0 'l 1'); set -- 'a 1' b; show() { printf '%s\\x1f' "$@"; printf %d $#; }`;

/** Makes words of random pieces. Returns those whose text the gate is certain of, and those that are another text for bash. */
export function compareWords(cases: number, seed: number, folder: string): { certain: number; wrong: string[] } {
  const random = randomFrom(seed);
  const made = Array.from(
    { length: cases },
    () => `show ${Array.from({ length: 1 + random(6) }, () => PIECES[random(PIECES.length)]).join("")}`,
  );
  const known = made.flatMap((text) => {
    const words = certainWords(text, folder);
    return words ? [{ text, printed: `${words.length > 0 ? words.map((word) => `${word}\x1f`).join("") : "\x1f"}${words.length}` }] : [];
  });
  const { stdout } = spawnSync(
    "bash",
    ["--norc", "-c", `${SETUP}; while IFS= read -r -d '' text; do ( eval "$text" ) 2>/dev/null </dev/null; printf '\\x1e'; done`],
    {
      cwd: folder,
      input: known.map(({ text }) => `${text}\0`).join(""),
      env: { PATH: "/usr/bin:/bin", LC_ALL: "C.UTF-8" },
      encoding: "utf8",
      maxBuffer: 1e9,
    },
  );
  const printed = stdout.split("\x1e");
  // Bash prints nothing for a text that it refuses.
  return {
    certain: known.length,
    wrong: known.flatMap((each, i) => (printed[i] === each.printed || printed[i] === "" ? [] : [each.text])),
  };
}

const UNKNOWN: Word = { kind: "open", text: "", prefix: "", single: true };

/** Returns the arguments of a call, if the gate is certain of each. */
function certainWords(text: string, folder: string): string[] | undefined {
  const [only, ...more] = parseShell(text)?.commands ?? [];
  const command = only?.command;
  if (command?.type !== "Command" || more.length > 0 || only?.background || command.name?.text !== "show") return undefined;
  let hasDoubt = false;
  const context = {
    variables: new Map(VARIABLES.map(([name, value]) => [name, literal(value)])),
    assigned: { times: new Map(), held: new Map() },
    cwds: [folder],
    place: { text },
    listed: new Map(),
  } as unknown as ShellContext;
  const reading = wordContextAt(context, () => {
    hasDoubt = true;
  });
  const words = command.suffix.flatMap((each): Word[] => (each.type === "Word" ? readWord(each, reading) : [UNKNOWN]));
  const texts = words.flatMap((word) => (word.kind === "literal" && word.written === undefined ? [word.text] : []));
  return hasDoubt || texts.length < words.length ? undefined : texts;
}
