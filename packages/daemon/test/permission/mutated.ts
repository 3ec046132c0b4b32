import { readFileSync } from "node:fs";
import { OPERANDS, type Random } from "./lines.ts";
import { shellText } from "./shell-text.ts";

/** Programs that end soon, talk to nobody and keep no files of their own. */
const PLAIN =
  /^\s*((ls|cat|head|tail|wc|pwd|echo|printf|grep|rg|find|sed|awk|sort|uniq|cut|tr|nl|diff|jq|file|stat|du|tree|xargs|tac|test|\[|cp|mv|mkdir|touch|rm|tee|basename|dirname|git (log|diff|show|status|blame|grep|ls-files|branch|rev-parse|cat-file|stash list))\b.*)?$/;

/** Lines of every day that only call such programs, and leave nothing in a folder that others use as well. */
const SEEDS: readonly string[] = ["everyday", "sessions", "transcripts"].flatMap((name) =>
  readFileSync(new URL(`./${name}.txt`, import.meta.url), "utf8")
    .split("\n")
    .filter((line) => !/^(#|asks)|\btail -f|\/tmp\b|\bnpx\b/i.test(line) && line.length < 160) // npx keeps files of its own
    .map(shellText)
    .filter((line) => line !== "" && line.split(/&&|\|\||[;|\n]/).every((part) => PLAIN.test(part))),
);

/** Words whose form is known, and whose text is not. */
const COMPUTED = '$((1+1)) $(wc\tREADME.md) $(seq\t1\t3) -$(seq\t1\t3) $(git\trev-parse\tHEAD) $(basename\tsub/y.lock) $(pwd)/src $N "$N"'
  .split(" ")
  .map((word) => word.replaceAll("\t", " "));
const PATTERNS = ["*", "s*", "y*", "*/", "s*/", ".*", "*.md", "sub/*", "[a-z]*"];
const PLACES = ["", "src/", "sub/", "secrets/", "protected/", "./", "link/"];
const FOLDERS = ["src", "secrets", "..", "sub", "link", "outlink", "$(find . -type d | head -3 | tail -1)", "s*", "-"];

/** Ways to run a line, `L`, inside of another one. */
const AROUND = [
  ..."bash -c 'L'|bash -c \"L\"|N=1; N=$((N+1)); L|N=$(seq 1 2); L|for N in PATTERN; do L; done|for N in PATTERN; do (cd FOLDER; L); done".split(
    "|",
  ),
  ...'cd FOLDER && L|cd FOLDER; L|for d in */; do (cd "$d" && L); done|N=FOLDER; cd $N; L|find . -type d | while read d; do cd "$d"; L; done'.split(
    "|",
  ),
  ...'f() { L; }; f|{ L; } &|L > out.txt|L | xargs cat|echo "$(L)"|cat <(L)|L; git status'.split("|"),
];
const CALLS =
  "cat|touch|cp README.md|grep -h x|sed -i s/x/y/|rm -f|head -1|cat <|echo x >|tee|git log -p --|git show HEAD:|git diff HEAD --".split(
    "|",
  );
const GIT =
  "log -p|log -1 -p|show|diff|diff --cached|grep -h x|status -v|status -vv|add -p|stash show -p|blame|cat-file -p|log -p -m|diff-tree -p".split(
    "|",
  );
const OBJECTS = ["", "HEAD", "HEAD~0", "OBJECT", ":/all", "':/al*'", "'HEAD^{/all}'", "HEAD:secrets/db.txt", "HEAD:src", "@{0}", "--all"];
const SPECS = ["", "-- .", "-- src", "-- ':^src'", "-- '*.txt'", "src", "README.md", "-- secrets", "-- :/", "-- s*", "-- src/../secrets"];

/** A line from the corpora with another operand, with a value that is computed, or inside of something else, or a call of a few families. */
export function randomMutatedLine(random: Random): string {
  const pick = <T>(list: readonly T[]): T => list[random(list.length)] as T; // no list here is empty
  const filled = (text: string) =>
    text
      .replaceAll("PATTERN", () => pick(PATTERNS))
      .replaceAll("FOLDER", () => pick(FOLDERS))
      .replaceAll("OBJECT", () => "$(git rev-parse HEAD:secrets/db.txt)");
  const changed = (line: string): string => {
    const words = line.split(/( +)/);
    const spots = words.flatMap((word, i) => (i > 0 && /^[\w@%+=:,./*{}-]+$/.test(word) ? [i] : []));
    if (spots.length === 0) return `${line} ${pick(OPERANDS)}`;
    const at = pick(spots);
    const operand = random(4) === 0 ? pick(COMPUTED) : pick(OPERANDS);
    return words.map((word, i) => (i === at ? (random(4) === 0 ? `${word} ${operand}` : operand) : word)).join("");
  };
  const around = (line: string) => filled(pick(AROUND).replaceAll(/(?<![A-Z])L(?![A-Z])/g, () => line));
  switch (random(6)) {
    case 0:
      return around(changed(pick(SEEDS)));
    case 1:
      return filled(`git ${pick(GIT)} ${pick(OBJECTS)} ${pick(SPECS)}`).trim();
    case 2:
      return filled(
        `for f in PATTERN; do ${pick(CALLS)} ${pick([`"${pick(PLACES)}$f"`, `${pick(PLACES)}$f`, `"$f${pick(PLACES)}db.txt"`])}; done`,
      );
    case 3:
      return around(`${pick(CALLS)} ${pick(["$N", '"$N"', "src/$N", pick(OPERANDS), pick(COMPUTED)])}`);
    default:
      return changed(pick(SEEDS));
  }
}
