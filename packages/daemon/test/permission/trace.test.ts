import { expect, test } from "vitest";
import { record } from "../harness/record.ts";
import { randomListLine, randomValueLine } from "./lines.ts";
import { randomOptionLine } from "./options.ts";
import { undoubtedProgram } from "./programs.ts";
import { randomSearchLine } from "./searches.ts";
import { stracePath } from "./strace.ts";
import { randomPassingLine } from "./passing.ts";
import { randomMutatedLine } from "./mutated.ts";
import { PASSING, PLANNING, USUAL, trace, type Setting, type Traced } from "./trace.ts";

/** The number of lines on a push. A nightly run has more, from its own seed. A line that once failed stays here. */
const CASES = Number(process.env["BATON_TRACED"] ?? 200);
/** Options come from the manuals of the machine, so only a night generates lines from them: a push tests the same lines everywhere. */
const OPTION_CASES = process.env["BATON_TRACED"] === undefined ? 0 : CASES / 2;
const SEED = Number(process.env["BATON_TRACE_SEED"] ?? 1);
const KEPT_LINES: readonly string[] = [
  "find sec* -name '*' -exec file {} +",
  "ln --force outlink/outside.txt README.md",
  "for f in sub/y.lock; do split $f; done",
  'xxd "$PWD" -p',
  "split -x < sub/y.lock",
  "cd outlink && command mkdir -p src/b.ts",
  "time grep -Hr -Hr -f src/a.ts",
  "sort -o-",
  "for f in README.md; do split $f; done",
  "for f in {src,secrets}/*; do zip $f; done",
  "strings -- -t - -nn~ src/b.ts | yq -ep */* link",
  "nohup split outlink/outside.txt",
  "find {src,secrets}/* | xargs touch",
  "mv --backup outlink/outside.txt README.md",
  "for f in *; do tee $f; done",
  'git ls-files link | while read -r f; do rm -f "$f"; done',
  "cd README.md; touch protected/x.txt",
  "cd src && find .. -name '*.txt' | xargs cat",
  "find secrets -name '*.txt' -exec sed -i s/x/y/ {} +",
  'grep -rl x .. | while read -r f; do stat "$f"; done',
  "git log -1 --output -",
  "shuf -o - README.md",
  "patch -i README.md --output=out.txt secrets/db.txt",
  "gofmt -cpuprofile -cpuprofileout.txt src",
  "git diff --cached HEAD:src",
  "rg -t sh x",
  "rg -t txt x",
  "rg x -g 'protected/**'",
  "rg --type-clear txt x",
  "rg --files -c src",
  "rg -g'src/**' x src/../secrets",
];
const KEPT_PASSING_LINES: readonly string[] = [
  "mkdir -p 'src/a secrets'; cp README.md 'src/a secrets/db.txt'\nfind src -type f -exec sh -c 'cat $1' _ {} \\;",
  "n=$(seq 1 3); head -n $n README.md",
  "find . -name '*.md' -exec tee {} +",
  "ls README.md | grep -n . | xargs cat",
  "ls README.md | head -v | xargs cat",
  "for f in $(git ls-files up/..); do sed -n p $f; done",
  "for f in $(find up/.. -name '*.ts'); do rm -f \"$f\"; done",
];
const KEPT_MUTATED_LINES: readonly string[] = [
  "git diff $(git rev-parse HEAD:secrets/db.txt) README.md",
  "git log -p ':/al*' -- ':^src'",
  "git status -vv src",
  "git add -p",
  'for f in y*; do touch "protected/$f"; done',
  'for f in y*; do (cd sub && cp ../README.md "$f"); done',
  "for d in */; do cat ${d}db.txt; done",
  'bash -c "cat $((1+1))"',
  "head -$(seq 1 3) README.md",
  "cd $(find . -type d -name 'sec*' | head -1); cat db.txt",
];

/** Traces each of these lines for each user. */
const traceAll = (lines: readonly string[], setting: Setting): Traced[] =>
  setting.users.map((user) => {
    let next = 0;
    return trace(lines.length, 1, stracePath ?? "", () => lines[next++] ?? "", { ...setting, users: [user] });
  });

test.skipIf(stracePath === undefined)(
  "an allowed command changes, runs, reads and connects to nothing that its verdict does not cover",
  { timeout: 120_000 + CASES * 400 },
  () => {
    const values = trace(CASES / 4, SEED, stracePath ?? "", randomValueLine);
    const lists = trace(CASES / 4, SEED, stracePath ?? "", randomListLine);
    const options = trace(OPTION_CASES, SEED, stracePath ?? "", randomOptionLine);
    const programs = trace(CASES / 4, SEED, stracePath ?? "", undoubtedProgram);
    const passing = trace(CASES, SEED, stracePath ?? "", randomPassingLine, PASSING);
    const mutated = trace(CASES, SEED, stracePath ?? "", randomMutatedLine, PLANNING);
    const searches = trace(CASES / 2, SEED, stracePath ?? "", randomSearchLine);
    const results = [
      trace(CASES, SEED, stracePath ?? ""),
      values,
      lists,
      programs,
      options,
      passing,
      mutated,
      searches,
      ...traceAll(KEPT_LINES, USUAL),
      ...traceAll(KEPT_PASSING_LINES, PASSING),
      ...traceAll(KEPT_MUTATED_LINES, PLANNING),
    ];
    const faults = results.flatMap((each) => each.faults);
    const [{ tried, allowed, deeds } = { tried: 0, allowed: 0, deeds: 0 }] = results;
    console.log(`traced: ${values.tried} lines with values, ${values.allowed} allowed and run`);
    console.log(`traced: ${programs.tried} programs without a doubt, ${programs.allowed} allowed and run`);
    console.log(`traced: ${options.tried} lines with options of the manuals, ${options.allowed} allowed and run`);
    console.log(`traced: ${passing.tried} lines that pass on output, ${passing.allowed} allowed and run`);
    console.log(`traced: ${mutated.tried} lines of every day with a change, ${mutated.allowed} allowed and run`);
    console.log(`traced: ${searches.tried} searches with rg, ${searches.allowed} allowed and run`);
    console.log(`traced: ${lists.tried} lines with lists of names, ${lists.allowed} allowed and run`);
    console.log(
      `traced: ${tried} lines from seed ${SEED}, ${allowed} allowed and run, ${deeds} deeds, ${faults.length} beyond their verdict`,
    );
    record({ row: "trace", tried, lost: faults.length });
    expect(allowed).toBeGreaterThan(tried / 10);
    expect(deeds).toBeGreaterThan(allowed);
    expect(programs.allowed).toBeGreaterThan(programs.tried / 4);
    expect(options.allowed).toBeGreaterThanOrEqual(options.tried / 20);
    expect(passing.allowed).toBeGreaterThan(passing.tried / 20);
    expect(mutated.allowed).toBeGreaterThan(mutated.tried / 5);
    expect(searches.allowed).toBeGreaterThan(searches.tried / 5);
    expect(values.allowed).toBeGreaterThan(values.tried / 50);
    expect(faults).toEqual([]);
  },
);
