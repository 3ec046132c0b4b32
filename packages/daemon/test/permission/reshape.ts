import { existsSync } from "node:fs";
import path from "node:path";
import { parseShell } from "../../src/permission/command/shell/parse.ts";
import type { Random } from "./lines.ts";

/** A change of a line that keeps its meaning. Returns undefined where it does not apply. */
export type Reshape = (line: string, random: Random) => string | undefined;

/** Ways to run a line as a part of another. `L` is the line and an end, `Q` is the line as one quoted word, and `M` is the line itself. */
const AROUND = [
  ..."( L);{ L};bash -c Q;sh -c Q;bash -euc Q;bash -c -- Q;sh -c -e Q;bash -c - Q;bash -x -c Q;eval Q;eval -- Q;builtin eval Q".split(";"),
  ..."timeout 9 bash -c Q%env bash -c Q%exec bash -c Q%xargs -I{} bash -c Q <<< x%bash <<< Q%echo Q | bash%trap Q EXIT".split("%"),
  "if true; then Lfi",
  "if Lthen :; fi",
  "if false; then :; else Lfi",
  "while Ldo break; done",
  "until Ldo break; done",
  "for i in 1; do Ldone",
  "for ((;;)); do Lbreak; done",
  "case a in a) L;; esac",
  "f() { L}; f",
  "function f { L}; f",
  "f() ( L); f",
  'f() { eval "$1"; }; f Q',
  "true && { L}",
  "false || { L}",
  "! { L}",
  "true; L",
  "Ltrue",
  "{ L} | cat",
  "cat </dev/null | { L}",
  "{ L} &\nwait",
  "bash <<'END_OF'\nM\nEND_OF",
  'echo "$(L)"',
  "zz=$(L)",
  "cat <(L)",
  "time { L}",
  "coproc { L}",
  "find . -maxdepth 0 -exec bash -c Q \\;",
  "ls # it's\nL",
  "cd src && cd .. && { L}",
  "(cd src); L",
  "pushd . && { L}",
  "{ L} > /dev/null 2>&1",
  "{ L} </dev/null",
  'zz=Q; bash -c "$zz"',
  'set -- Q; eval "$1"',
  "cat > zz.sh <<'END_OF'\nM\nEND_OF\nbash zz.sh",
  "cat <<'END_OF' > zz.sh; chmod +x zz.sh; ./zz.sh\nM\nEND_OF",
  "tee zz.sh <<'END_OF'\nM\nEND_OF\nsh ./zz.sh",
  "printf '%s\\n' Q > zz.sh && timeout 9 bash -e zz.sh",
];

/** Ways to run a simple command, `C`. */
const IN_FRONT = [
  ..."env C;command C;time C;nice C;nice -5 C;timeout 9 C;timeout -s 9 -- 9 C;nohup C;env A=1 C;CI=1 C;stdbuf -oL C;builtin command C".split(
    ";",
  ),
  ..."command -p C;env -- C;env -i C;env -u A C;exec C;exec -a x C;setsid C;ionice C;sudo C;\\C;C 2>&1;</dev/null C;3>&1 C;C &;C # c".split(
    ";",
  ),
  ..."C | cat;true | C;xargs C </dev/null;echo x | xargs -I{} C;find . -maxdepth 0 -exec C {} +".split(";"),
];

/** Texts that put `W` in another way. The text in front of `@` runs before the line. `^` is the first character, and `~` is the rest. */
const WORDS = [
  ..."'W' \"W\" ^\\~ '^'\"~\" ^''~ ^\\\n~ $(echo\tW) \"$(printf\t%s\tW)\" `echo\tW` ${none:-W} zz=W;@$zz zz='W'&&@\"${zz}\"".split(" "),
  ...'zz=^;@${zz}~ zz=W;zy=$zz;@$zy export\tzz=W;@$zz zz=(W);@"${zz[0]}" zz=(W);@"${zz[@]}" zz=();zz+=(W);@"${zz[@]}"'.split(" "),
  ..."zz=^;zz+=~;@$zz set\t--\tW;@$1 read\t-r\tzz\t<<<\tW;@$zz printf\t-v\tzz\t%s\tW;@$zz zz=W.z;@${zz%.z} zz=ZW;@${zz/Z/}".split(" "),
  ..."zz=ZW;@${zz:1} zz=W;zy=zz;@${!zy}".split(" "),
].map((form) => form.replaceAll("\t", " "));

/** Other names of the file `D/B` in the folder `F`. The text in front of `@` runs before the line. */
const FILES = [
  ...'./D/B D//B $PWD/D/B "$PWD"/D/B "$(pwd)/D/B" ~+/D/B F/D/B src/../D/B lnk/sec/../D/B ../N/D/B D/B? D/B* D/[B] /proc/self/cwd/D/B'.split(
    " ",
  ),
  "ln -s D zlink && @zlink/B",
  "cd src && @../D/B",
];

type Spot = { from: number; to: number; word: string };

/** Names that mean something only if they are written as they are, and words in which quotes would be something else. */
const KEYWORD = /^(if|then|else|elif|fi|for|while|until|do|done|case|esac|in|time|coproc|declare|local|export|readonly|let|exec|cd|pushd)$/;
const INTRICATE = /\n|<<|\[\[|\(\(|\b(for|case|select|function)\b|#|\(\)|\$[{@*\d#(]|`|\b\w+=|\d[<>]/;

/** Returns the plain words of a line: those between blanks and outside of quotes. */
function wordsOf(line: string): Spot[] {
  if (INTRICATE.test(line) || line.includes("zz")) return []; // a change may set the variable `zz`
  const blanked = line.replaceAll(/'[^']*'|"(?:\\.|[^"\\])*"|\\./g, (quoted) => '"'.repeat(quoted.length));
  return [...blanked.matchAll(/(?<=^|[\s;|])[\w./:@%+,=-]{2,}(?=$|[\s;|])/g)]
    .map(({ 0: word, index }) => ({ from: index, to: index + word.length, word }))
    .filter(({ word, from }) => !KEYWORD.test(word) && !/[<>&]\s*$|\btime\s+$/.test(blanked.slice(0, from)));
}

const isSimple = (line: string): boolean =>
  !/[\n;&|(){}<>#`[]|^\s*(!|\w+=)|\b(if|for|while|case|cd|eval|set|export|coproc)\b/.test(line.replaceAll(/'[^']*'|"[^"]*"/g, "q"));

const quoted = (line: string) => `'${line.replaceAll("'", "'\\''")}'`;
/** Ends a list. A line end also ends a comment and a here-document. */
const ended = (line: string) => (/[\n#]|&\s*$/.test(line) ? `${line}\n` : `${line}; `);

function putIn(line: string, spots: readonly Spot[], random: Random, form: (word: string) => string): string | undefined {
  const spot = spots[random(Math.max(1, spots.length))];
  if (!spot) return undefined;
  const text = form(spot.word);
  const at = text.indexOf("@") + 1;
  return `${text.slice(0, Math.max(0, at - 1))}${line.slice(0, spot.from)}${text.slice(at)}${line.slice(spot.to)}`;
}

/** Returns changes for lines that run in this folder, which has these files. */
export function reshapesIn(folder: string, files: readonly string[]): Reshape[] {
  // With a pipe as its input, rg searches the input instead of the folder.
  const around = AROUND.map(
    (form): Reshape =>
      (line) =>
        line.includes("END_OF") || !parseShell(line) || (form.startsWith("cat </dev/null |") && /\brg\b/.test(line))
          ? undefined
          : form.replaceAll(/[LQM](?=$|[^A-Z_a-z]|fi$|then|do|break|true)/g, (sign) =>
              sign === "L" ? ended(line) : sign === "Q" ? quoted(line) : line,
            ),
  );
  const front = IN_FRONT.map(
    (form): Reshape =>
      (line) =>
        isSimple(line) && !(form === "true | C" && /\brg\b/.test(line)) ? form.replace(/C(?!I)/, () => line.trim()) : undefined,
  );
  const words = WORDS.map(
    (form): Reshape =>
      (line, random) =>
        putIn(
          line,
          wordsOf(line).filter(({ word }) => !word.includes("@") && !/^\d/.test(word.slice(1))),
          random,
          (word) => form.replaceAll(/W|\^|~/g, (sign) => (sign === "W" ? word : sign === "^" ? word.slice(0, 1) : word.slice(1))),
        ),
  );
  const names = FILES.map((form): Reshape => (line, random) => {
    const spots = /\b(cd|pushd)\b|-(i?name|i?path|g|C)\b|--(include|exclude|i?glob)/.test(line) ? [] : wordsOf(line);
    // In another folder, all names have to change.
    if (form.startsWith("cd") && /["']/.test(line)) return undefined;
    if (
      form.startsWith("cd") &&
      line.split(/[\s;|&]+/).filter((word) => /[./*?]/.test(word) || existsSync(path.join(folder, word))).length > 1
    )
      return undefined;
    return putIn(
      line,
      spots.filter(({ word }) => files.includes(word)),
      random,
      (word) => {
        const base = path.basename(word);
        return form
          .replace("B?", `${base.slice(0, -1)}?`)
          .replace("B*", `${base.slice(0, -1)}*`)
          .replace("[B]", `${base.slice(0, -1)}[${base.slice(-1)}]`)
          .replaceAll(
            /(?<![A-Z])[DBFN](?![A-Z])/g,
            (sign) => ({ D: path.dirname(word), B: base, F: folder, N: path.basename(folder) })[sign] ?? sign,
          );
      },
    );
  });
  return [...around, ...front, ...words, ...names];
}
