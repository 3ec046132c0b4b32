import type { Random } from "./lines.ts";

const FILES = "README.md src/a.ts pic.bin sub/y.lock none.txt secrets/db.txt outlink/outside.txt $f".split(" ");
const PLACES = ["src", ".", "sub src", "secrets", "outlink/", "..", "link/", "up/../../secrets", "up/..", ""];
const NAMES = ["*.ts", "*.txt", "*", "*.md", "[a-z]*"];

/** Commands that print numbers, names of files, names of commits, or folders. */
const PRODUCERS = [
  ..."wc -l < FILE|grep -c x FILE|grep -c x FILE|| echo 0|grep -n x FILE | cut -d: -f1|grep -n x FILE | cut -d: -f1 | head -1".split(
    /(?<!\|)\|(?![| ])/,
  ),
  ..."seq 1 3|pgrep bash|pgrep -luroot|nproc|date +%s|stat -c %s FILE|id -u|git rev-list --count HEAD|grep -c '' FILE FILE".split("|"),
  ..."find PLACE -name 'NAME'|git ls-files PLACE|grep -rl x PLACE|ls NAME|ls PLACE|git diff --name-only|find PLACE -type f".split("|"),
  ..."basename FILE|dirname FILE|realpath FILE|pwd|git rev-parse --show-toplevel|git rev-parse HEAD|printf %02d 7|printf %s FILE".split(
    "|",
  ),
  ..."git branch --format='%(refname:short)'|git tag|git describe --always|mktemp|mktemp -d|cat FILE|echo FILE|find PLACE -printf '%p\\n'".split(
    "|",
  ),
];
const FILTERS = [
  ..."head -n1|tail -n +2|sort -u|grep -v z|uniq|head -2|sort -r|grep -n .|head -v|sort -z|grep -o '[a-z/.]*'|cut -d/ -f1|grep -b .".split(
    "|",
  ),
  ..."grep -T .|grep -v -rex|grep -A1 .|grep --color=always .|uniq -c|head -c3|tail -v|tac|rev|sort -o x|grep -f README.md|tr a-z b-z|xargs".split(
    "|",
  ),
];
/** Programs that take the output at the end of their call. */
const TAKERS = [
  ..."cat|head -n1|head -n|wc -l|grep x|sed -n p|ls|stat|echo|tail|sort|sed -i s/x/y/|touch|rm -f|file|file -f|git log --|git log|diff README.md".split(
    "|",
  ),
  ..."basename|test -f|cat --|cat < README.md|tee|cp -t out|kill|sed -n|awk '{print}'|jq .|xxd|cut -f1|sort -k|git show|cat src/|grep -f".split(
    "|",
  ),
];
/** Texts that use the output. `OUT` is the producer, and `TAKE` is a program that takes it. */
const USES = [
  "OUT | xargs TAKE",
  "OUT | xargs -n1 TAKE",
  "OUT | xargs -I{} TAKE {}",
  "OUT | xargs -I{} TAKE src/{}",
  "OUT | xargs -0 TAKE",
  "OUT | xargs -d '\\n' TAKE",
  "OUT | xargs sh -c 'TAKE \"$@\"' _",
  "TAKE $(OUT)",
  'TAKE "$(OUT)"',
  'TAKE "$(OUT)/db.txt"',
  "TAKE $(OUT) $(OUT)",
  "n=$(OUT); TAKE $n",
  'n=$(OUT); TAKE "$n"',
  "n=$(OUT); m=$n; TAKE $m",
  "n=$(OUT); TAKE $((n+1))",
  "n=$(OUT); ((n > 1)) && echo $n",
  "n=$(OUT); [[ $n -gt 1 ]]; [ $n -gt 1 ]",
  'n=$(OUT); sed -n "${n}p" README.md',
  'n=$(OUT); sed -n "$((n-1)),${n}p" README.md',
  "n=$(OUT); head -n $n README.md",
  "n=$(OUT); TAKE README.md $n",
  "for f in $(OUT); do TAKE $f; done",
  'for f in $(OUT); do TAKE "$f"; done',
  'n=$(OUT); for f in $n; do TAKE "$f"; done',
  'OUT | while read -r f; do TAKE "$f"; done',
  "OUT | while read f; do TAKE $f; done",
  'OUT | while read -r f; do TAKE < "$f"; done',
  'OUT | while read -r f; do (cd secrets && TAKE "$f"); done',
  'while read -r f; do TAKE "$f"; done < <(OUT)',
  'mapfile -t l < <(OUT); TAKE "${l[@]}"',
  "l=($(OUT)); TAKE ${l[0]}",
  "f=$(OUT); TAKE ${f%.*}.txt",
  "f() { TAKE $1; }; f $(OUT)",
  "cd $(OUT) && TAKE db.txt",
  "find src -type f -exec sh -c 'TAKE $1' _ {} \\;",
  "find PLACE -name 'NAME' -exec TAKE {} +",
  "for f in NAME; do TAKE $f; done",
  'for f in src/* NAME; do TAKE "$f"; done',
  "tar -cf - $(OUT) | wc -c",
  "OUT | tar -T - -cf - | wc -c",
  "TAKE <<< $(OUT)",
];
/** Texts that change what the others mean. */
const CHANGES = [
  "mkdir -p 'src/a secrets'; cp README.md 'src/a secrets/db.txt'",
  "mkdir -p 'src/a outlink'; cp README.md 'src/a outlink/outside.txt'",
  "mkdir -p '[s]ecrets'; cp README.md '[s]ecrets/db.txt'",
  "touch -- -f.md",
  "touch 'src/-rf'",
  "echo x > 'b secrets.ts'",
  "cp -P outlink/outside.txt src/c.ts",
  "cp -P 2 src/c.ts",
  "ln -s ../secrets src/s",
  "grep='a[$(touch made)]'",
  "n='a[$(touch made)]'",
  "IFS=/",
  "IFS=' '",
  "set -f",
  "f=secrets/db.txt",
  "f='README.md secrets/db.txt'",
  "n=2",
  "cd src",
  "cd secrets",
  "git init -q secrets",
  "pwd() { echo secrets; }",
  "nproc() { echo secrets/db.txt; }",
  "export LC_ALL=C",
  "shopt -s nullglob",
  "trap 'n=secrets/db.txt' EXIT",
  "read n < README.md",
  "git tag x/e",
  "mv README.md 'a b.md'",
  "TMPDIR=$PWD/secrets",
  "true",
];

/** A line in which a program takes what another command prints, with something in front or behind that could change its meaning. */
export function randomPassingLine(random: Random): string {
  const pick = <T>(list: readonly T[]): T => list[random(list.length)] as T; // no list here is empty
  const filled = (text: string) =>
    text
      .replaceAll("FILE", () => pick(FILES))
      .replaceAll("PLACE", () => pick(PLACES))
      .replaceAll("NAME", () => pick(NAMES));
  const out = [pick(PRODUCERS), ...Array.from({ length: Math.max(0, random(5) - 3) }, () => pick(FILTERS))].join(" | ");
  const ended = `${out}${random(12) === 0 ? pick([" 2>&1", " || echo 0", "; echo secrets/db.txt", " 2>/dev/null", " | tee made.txt"]) : ""}`;
  const take = pick(TAKERS);
  const use = filled(
    pick(USES)
      .replaceAll("OUT", () => ended)
      .replaceAll("TAKE", () => take),
  );
  if (random(2) === 0) return use;
  const join = pick(["; ", " && ", " & ", " || ", "\n"]);
  const text = random(5) === 0 ? [use, pick(CHANGES), use].join(join) : [pick(CHANGES), use].join(join);
  return random(8) === 0 ? `for i in 1 2; do ${[use, pick(CHANGES)].join("; ")}; done` : text;
}
