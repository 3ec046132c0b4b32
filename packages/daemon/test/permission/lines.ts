import { readers } from "../../src/permission/command/tables/readers.ts";
import type { Table } from "../../src/permission/command/tables/argument-table.ts";
import { writers } from "../../src/permission/command/tables/writers.ts";

/** Programs that are left out: they wait, do not end, or have no use in a folder of files. */
const LEFT_OUT =
  /^(sleep|yes|top|htop|watch|tail|w|who|last|sudo|kill|ssh|scp|sftp|curl|wget|docker|npm|pnpm|yarn|bun|node|python|go|cargo|make|gh|pip)$/;
const WRITING = ["cp", "mv", "ln", "rm", "mkdir", "touch", "tee", "install", "truncate", "chmod", "gzip", "split", "rsync", "patch", "zip"];

/** Programs with the words for their arguments. Those that functions judge have sample arguments instead. */
export const SAMPLES: Readonly<Record<string, readonly string[]>> = {
  sed: [
    "p",
    "-n",
    "-e p",
    "-ne p",
    "'s/x/y/'",
    "'w out.txt'",
    "-ue",
    "-i",
    "-ni",
    "-i.bak",
    "'1e touch made'",
    "'s/x/y/w out.txt'",
    "-E",
    "-s",
    "'r secrets/db.txt'",
    "-f src/a.ts",
    "--expression=p",
    "-e'w out.txt'",
    "--expression='w out.txt'",
    "-ne'1w out.txt'",
    "-l 5",
    "-l5",
    "-i~",
    "--in-place=.bak",
    "-e 's/x/y/e'",
  ],
  awk: [
    "'{print}'",
    "'{print > \"out.txt\"}'",
    "-F,",
    "-v a=1",
    "-vx=1",
    "-e '{print > \"out.txt\"}'",
    "--source='{print > \"out.txt\"}'",
    "--assign=x=1",
    "-f src/a.ts",
    "-fsrc/a.ts",
    '\'BEGIN { # "\nprint "x" > "made" }\'',
    "'/x/'",
    "'{system(\"touch made\")}'",
  ],
  find: [
    "-name '*.ts'",
    "-type f",
    "-exec cat {} +",
    "-exec touch made \\;",
    "-delete",
    "-fprint out.txt",
    "-newer README.md",
    "-L",
    "-maxdepth 2",
    "-o",
    "!",
    "-ok",
    "-fls out.txt",
  ],
  grep: ["x", "-r", "-R", "-rn", "-f src/a.ts", "-l", "-c", "--include='*.txt'", "-e x", "-Hr", "-d recurse", "--exclude-dir=src"],
  rg: [
    "x",
    "-t sh",
    "-t txt",
    "-tall",
    "-g 'src/**'",
    "-g '{src,secrets}/*'",
    "-ng '.*'",
    "--files",
    "-l",
    "-u",
    "-uu",
    "-L",
    "--pre cat",
    "-g '*.txt'",
    "--hidden",
    "-f src/a.ts",
  ],
  diff: ["-r", "-u", "-q", "--to-file=secrets/db.txt", "-N"],
  tar: ["cf out.tar", "-cf out.tar", "tf out.tar", "--to-command=cat", "-C src", "-czf out.tgz", "-I cat", "--checkpoint-action=exec=id"],
  git: [
    "status",
    "log",
    "-p",
    "diff",
    "show",
    "grep x",
    "status -v",
    "for-each-ref --format=%(raw)",
    "--",
    "HEAD:secrets/db.txt",
    "HEAD:./secrets/db.txt",
    "--output=out.txt",
    "-C src",
    "-C up/../..",
    "-C up/..",
    "-C up",
    "blame",
    "ls-files",
    "--stat",
    "-c core.pager=cat",
    "show-ref",
    "rev-parse HEAD",
    "--ext-diff",
    "cat-file -p HEAD:secrets/db.txt",
    "archive HEAD",
    "stash list",
  ],
  jq: [".", "-r", "-f src/a.ts", "--slurpfile a secrets/db.txt", "'input'", "--rawfile a secrets/db.txt", "-n"],
  xargs: ["cat", "-n1", "-I{} cat {}", "-a README.md", "-0", "touch made", "sh -c 'touch made'"],
  sort: ["-o out.txt", "-u", "-T src", "--compress-program=cat", "-uo out.txt", "--files0-from=-", "--out=out.txt", "-k1"],
  test: ["-e", "-f", "-nt", "=", "x"],
  gzip: ["-d", "-k", "-c", "-S .x", "-f", "-dc", "-9"],
  split: ["-l1", "-l 1 README.md out", "--additional-suffix=.lock", "-b1 README.md", "README.md protected/x", "-d", "-n2"],
  bash: ["-n", "-x", "-n", "+n", "-c"],
  csplit: ["-s README.md 1", "-fout README.md 1", "-b %d.lock README.md 1", "-f protected/x README.md 1", "-n1"],
};

export const OPERANDS =
  "README.md src/a.ts src/b.ts src secrets secrets/db.txt secrets/deep protected protected/x.txt sub sub/y.lock link link/a.ts up/.. up/../../secrets up/../../secrets/db.txt up/../../../outside/outside.txt outlink outlink/outside.txt . .. ./ src/../secrets outlink/.. * src/* sec* */* - -- nothing new/ out.txt 'a b.txt' ~ $HOME \"$PWD\" $X {src,secrets}/* {src/{a,b}.ts,secrets/{db,x}.txt} $(printf_src/%s_a.ts) src/a.t? /dev/null"
    .split(" ")
    .map((operand) => operand.replaceAll(/(?<=\$\(.*)_/g, " "));

/** Programs whose output the gate may know in part. */
const PRINTING = [
  "basename",
  "dirname",
  "printf src/%s",
  "printf %03d",
  "wc -l <",
  "wc -l",
  "grep -c x",
  "grep -rc x",
  "stat -c %s",
  "git rev-parse",
  "git rev-parse HEAD #",
  "git merge-base HEAD",
  "git log -1 --format=%H",
  "echo",
];

const WRAPPERS = [
  "timeout 2",
  "nice",
  "nice -n 3",
  "env A=1",
  "env",
  "command",
  "nohup",
  "stdbuf -oL",
  "time",
  "builtin",
  "./nice",
  "src/timeout 2",
  "xargs",
];

/** Commands that print names of files, and commands that read or change the files of these names. */
const LISTING = [
  "find PLACE -name 'NAME'",
  "find PLACE -type f -name 'NAME' -not -name 'z*'",
  "find PLACE -name 'NAME' -o -name 'y*'",
  "find PLACE -path ./src -prune -o -name 'NAME' -print",
  "git ls-files PLACE",
  "git ls-files 'NAME'",
  "grep -rl x PLACE",
  "grep -rl x PLACE --include='NAME'",
  "ls PLACE",
];
const PLACES = [".", "src", "secrets", "protected", "sub", "..", "outlink", "link", "src secrets", "up/..", "up/../../secrets", "up/../.."];
const NAMES = ["*.txt", "*.ts", "*", "db*", "*.lock", "a.ts"];
const TAKING = ["cat", "head -n1", "grep x", "wc -l", "sed -n p", "sed -i s/x/y/", "touch", "rm -f", "tee", "cp -t out", "stat"];
const FOLDERS = ["d", "d/e", "out", "protected/d", "src/d", "secrets/d", "link/d"];

/** A line that uses names from the output of another command, or moves files that it has made itself. */
export function randomListLine(random: Random): string {
  const pick = <T>(list: readonly T[]): T => list[random(list.length)] as T; // no list here is empty
  const names = () => pick(LISTING).replace("PLACE", pick(PLACES)).replace("NAME", pick(NAMES));
  const folder = () => pick(FOLDERS);
  switch (random(6)) {
    case 0:
      return `${names()} | xargs ${pick(TAKING)}`;
    case 1:
      return `find ${pick(PLACES)} -name '${pick(NAMES)}' -exec ${pick(TAKING)} {} ${pick(["+", "\\;"])}`;
    case 2:
      return `for f in $(${names()}); do ${pick(TAKING)} ${pick(["$f", '"$f"'])}; done`;
    case 3:
      return `${names()} | while read -r f; do ${pick(TAKING)} "$f"; done`;
    case 4: {
      const [from, to] = [folder(), folder()];
      return `mkdir -p ${from} && ${pick(["cp README.md", "touch", "tee", "cp -t"])} ${from}${pick(["", "/x", "/x.txt"])} && ${pick(["mv", "cp -r"])} ${from}${pick(["", "/", "/*"])} ${to}`;
    }
    default:
      return `cd ${pick(["src", "sub", "secrets"])} && ${names()} | xargs ${pick(TAKING)}`;
  }
}

export type Random = (below: number) => number;

/** The programs for the lines: those of the tables that this machine has. */
const namesIn = (available: ReadonlySet<string>): string[] =>
  [...Object.keys(readers), ...Object.keys(SAMPLES), ...Object.keys(SAMPLES), ...WRITING].filter(
    (name) => available.has(name) && !LEFT_OUT.test(name),
  );

/** A line with a value that is computed or printed at run time, in places where it could be a path, a flag or a script. */
export function randomValueLine(random: Random, available: ReadonlySet<string>): string {
  const pick = <T>(list: readonly T[]): T => list[random(list.length)] as T; // no list here is empty
  const names = namesIn(available);
  const one = () => call(pick(names), random, pick);
  const value = () => `$(${pick(PRINTING)} ${pick(OPERANDS)})`;
  const used = () => pick(["$N", '"$N"', "src/$N", "-$N", "$((N+1))", "${N}p README.md", "${N}:secrets/db.txt", "$N $N", "./$N/db.txt"]);
  switch (random(4)) {
    case 0:
      return `for f in ${pick(["src/*", "$(git ls-files)", "*", "s*/*", "$(git ls-files src)"])}; do ${pick(names)} < "$f"; ${pick(["basename", "cat", "wc -l <", "touch"])} "$f"; done`;
    case 1:
      return `N=${value()}; M=$((N*2)); ${one()} $M ${used()}`;
    case 2:
      return `${one()} "${value()}" ${value()}`;
    default:
      return `N=${value()}; ${one()} ${used()}`;
  }
}

/** A shell line for a folder that `trace.ts` makes: a program with arguments, and possible surroundings. */
export function randomLine(random: Random, available: ReadonlySet<string>): string {
  const names = namesIn(available);
  const pick = <T>(list: readonly T[]): T => list[random(list.length)] as T; // no list here is empty
  const one = () => call(pick(names), random, pick);
  const wrapped = () => (random(8) === 0 ? `${pick(WRAPPERS)} ${one()}` : one());
  switch (random(16)) {
    case 0:
      return `${wrapped()} | ${wrapped()}`;
    case 1:
      return `${wrapped()} ${pick([">", ">>", ">|", "2>", "&>"])} ${pick(OPERANDS)}`;
    case 2:
      return `cd ${pick(["src", "secrets", "link", "outlink", "..", "-P link/..", "src/..", "up", "up/..", "-P up/.."])} && ${wrapped()}`;
    case 3:
      return `for f in ${pick(OPERANDS)}; do ${pick(names)} $f; done`;
    case 4:
      return `${pick(["cat", "head", "wc -l", "grep x"])} $(${wrapped()})`;
    case 5:
      return `${wrapped()} | xargs ${pick(["cat", "grep x", "touch", "cp -t out", "wc"])}`;
    case 6:
      return `X=${pick(OPERANDS)}; ${one()}`;
    case 7:
      return `ln -s ${pick(OPERANDS)} made && ${pick(["cat", "grep -r x", "tee"])} made/${pick(["db.txt", "a.ts", ""])}`;
    case 8:
      return `(cd ${pick(["src", "secrets"])}; ${wrapped()}) && ${one()}`;
    case 9:
      return `find ${pick(OPERANDS)} -name '*' -exec ${pick(names)} {} ${pick(["+", "\\;"])}`;
    case 10:
      return `${wrapped()} < ${pick(OPERANDS)}`;
    default:
      return wrapped();
  }
}

function call(name: string, random: Random, pick: <T>(list: readonly T[]) => T): string {
  const samples = SAMPLES[name];
  const table = readers[name] ?? writers[name];
  const words = Array.from({ length: random(4) }, () => {
    if (samples && random(3) > 0) return pick(samples);
    if (table && random(2) === 0) return flagOf(table, random, pick);
    return pick(OPERANDS);
  });
  return [name, ...words, ...(random(3) > 0 ? [pick(OPERANDS)] : [])].join(" ");
}

/** A flag of a table: alone, in a cluster, shortened, and with its value attached, after `=` or as the next word. */
function flagOf(table: Table, random: Random, pick: <T>(list: readonly T[]) => T): string {
  const { flags, valued, names, reads, writes, edits, runs } = table;
  const all = [flags, valued, names, reads, writes, edits, runs]
    .flatMap((list) => list?.split(" ") ?? [])
    .filter((flag) => flag.startsWith("-"));
  if (all.length === 0) return pick(OPERANDS);
  const flag = pick(all);
  const takes = !(flags ?? "").split(" ").includes(flag);
  const value = pick(OPERANDS);
  if (flag.startsWith("--")) {
    const name = random(4) === 0 ? flag.slice(0, Math.max(4, flag.length - 1 - random(4))) : flag;
    return takes ? `${name}${pick(["=", " "])}${value}` : name;
  }
  const letters = all.filter((each) => /^-[A-Za-z]$/.test(each)).map((each) => each.slice(1));
  const head = flag.length === 2 && letters.length > 0 && random(3) === 0 ? `-${pick([...letters, "q", "Z"])}${flag.slice(1)}` : flag;
  return takes ? `${head}${pick(["", " "])}${value}` : head;
}
