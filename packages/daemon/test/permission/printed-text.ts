import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { judge, type RuleSet } from "@baton/core/permission/judge";
import { stackLayers } from "@baton/core/permission/rule-layers";
import type { Effect, SourcedRule } from "@baton/core/protocol/rule";
import { gateCommand } from "../../src/permission/command/gate-command.ts";
import { randomFrom } from "./nesting.ts";

/** Calls that print the text of files. `TREE` and `BLOB` stand for the IDs of the denied folder and of its file. */
const CALLS = `git grep TODO|git grep -h -e TODO|git show|git show --format=%h|git log -p|git log -p -1|git diff HEAD~1|git diff|git cat-file -p|git blame|git archive|git stash show -p
  |git diff-tree -p HEAD|git whatchanged -p|git format-patch --stdout -1|git -C src grep TODO|git -C src show|git --no-pager log -p|git cat-file blob|git diff --no-index
  |grep -r TODO|grep -rn -e TODO|grep TODO|grep -R TODO|grep -rhs|egrep -r TODO|rgrep TODO|cat|head -n 3|tail|wc -l|sort|find|find . -type f|git -C up grep TODO|git -C up/.. log -p|git -C up/../.. show|cut -c1-99|sed -n 1,9p|awk 1|nl|tac|rev|diff`;
/** Names of files, folders and revisions, pathspecs, and globs that the shell or the program expands. */
const NAMES = `a.txt|src|src/b.txt|.|./|..|./a.txt|src/../a.txt|src//b.txt|*|?.txt|s*|*/*|src/*|[a-b].txt|zz*|{a.txt,src}|'*'|'s*'|'*.txt'|'src/*'|'[a-z]*'|'[[:alpha:]]*'|':'|':/'|':/src'
  |':!a.txt'|':^src'|':/!a.txt'|':/^src'|'://!a.txt'|':/:src'|':(exclude)src'|':(top)src'|':(glob)**/b.txt'|':(icase)SRC'|':*'|':s*'|':?.txt'|':./s*'|:a.txt|:./a.txt|:0:a.txt|':src/'
  |HEAD|HEAD~1|@|HEAD^{}|'HEAD^{tree}'|main|v1|HEAD:a.txt|HEAD:src|HEAD:src/b.txt|HEAD~1:a.txt|HEAD:./a.txt|HEAD~1..HEAD|HEAD...HEAD~1|':/first'|'HEAD^{/first}'|--all|TREE|BLOB|BLOB^{}
  |'BLOB^{blob}'|TREE:key.txt|'TREE^{tree}'|TREE^{}:key.txt|v1:a.txt|stash@{0}|up/..|up/../../secrets|up/../../secrets/key.txt|up/../../secrets/*|up/../..|up/../../.env|src/env|HEAD:./up/../../secrets/key.txt|lnk|lnk/|lnk/*|--|-- TODO|-|'$'|nosuch`;
/** Flags, some of which take the next word, and some of which no table of the gate has. */
const FLAGS = `-n|-l|-c|-w|-i|-h|-v|-z|--stat|--name-only|-p|-U1|--no-color|--color=never|--word-diff|-M|-s|-q|-1|--oneline|--all|--branches|--tags|--glob=*|--reflog|--not|--cached|--staged|-I
  |-O|-S|-G|--anchored|--line-prefix|--skip-to|--rotate-to|--encoding|--since|--until|--grep|--author|--format|--prefix|--to|-L|-L1,2:a.txt|--follow|--full-diff|--relative|--text|-a|-W|--inter-hunk-context
  |--src-prefix|--ignore-missing|--indexed-objects|--stdin|--ignore-matching-lines|-e TODO|-e TOD*|-e zz|-f a.txt|--include=*.txt|--include *.zz|--exclude *.zz|--exclude=a.txt|--exclude-dir=src|--exclude-dir zz*
  |--exclude-from a.txt|--max-depth 1|--untracked|--recursive|--label z*|-m 2|-A 1|-D skip|-d recurse|--textconv|--no-textconv|--end-of-options|--pathspec-from-file=a.txt|-b|--porcelain|--reverse|--no-walk|-type f -exec cat {} +|-name *.txt -exec head {} \\;`;
const STARTS = `cd src && |cd up && |cd up/.. && |cd -P up && |cd lnk/.. && `;
const ENDS = `|head -n 5|cat|grep -v nothing|xargs cat|sort|while read -r f; do cat "$f"; done`;
const INPUTS = ` < a.txt| <<< TODO| < /dev/null| 2>&1| 2> /dev/null`;

/** `ran` counts the calls that were allowed and ran. */
export type ComparedPrints = { ran: number; wrong: string[] };

const DENIED = "denied-71c3";
const KEY = "key-of-the-environment-52a9";

/**
 * Judges random calls for a user without rules, and for one who allows everything except one folder, and runs those that pass. Returns each
 * call that prints a file of that folder, or a file of keys.
 */
export function comparePrints(cases: number, seed: number): ComparedPrints {
  const random = randomFrom(seed);
  const root = realpathSync(mkdtempSync(path.join(tmpdir(), "baton-prints-")));
  const found: ComparedPrints = { ran: 0, wrong: [] };
  try {
    const [workspace, home] = ["w", "home"].map((name) => path.join(root, name)) as [string, string];
    for (const folder of [home, ...["src/in", "secrets/deep"].map((name) => path.join(workspace, name))])
      mkdirSync(folder, { recursive: true });
    const env = { PATH: "/usr/bin:/bin", HOME: home, GIT_CONFIG_NOSYSTEM: "1", GIT_PAGER: "cat" };
    const git = (...words: string[]): string =>
      execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...words], { cwd: workspace, env, encoding: "utf8" }).trim();
    git("init", "-q", "-b", "main");
    symlinkSync("secrets", path.join(workspace, "lnk"));
    symlinkSync("src/in", path.join(workspace, "up"));
    symlinkSync("../.env", path.join(workspace, "src/env"));
    for (const round of ["first", "second"]) {
      for (const file of ["a.txt", "src/b.txt"]) writeFileSync(path.join(workspace, file), `TODO ${round}\n`);
      for (const file of ["key.txt", "deep/key.txt"]) writeFileSync(path.join(workspace, "secrets", file), `TODO ${round} ${DENIED}\n`);
      writeFileSync(path.join(workspace, ".env"), `TODO=${round}-${KEY}\n`);
      git("add", "-A");
      git("commit", "-qm", round);
    }
    git("tag", "v1");
    const ids = { TREE: git("rev-parse", "HEAD:secrets"), BLOB: git("rev-parse", "HEAD:secrets/key.txt") };
    const users = usersOf(workspace);
    for (let i = 0; i < cases; i += 1) {
      const text = randomCall(random).replaceAll(/TREE|BLOB/g, (name) => ids[name as keyof typeof ids]);
      const gated = gateCommand(text, { workspace, ownRoots: [], trusted: true, home });
      const passes = users.filter(({ rules }) => judge(rules, "run_command", gated).effect === "allow");
      if (passes.length === 0) continue;
      found.ran += 1;
      const { stdout } = spawnSync("timeout", ["-s", "KILL", "2", "bash", "-c", text], { cwd: workspace, env, encoding: "latin1" });
      for (const { name, hides } of passes) if (hides.some((each) => stdout.includes(each))) found.wrong.push(`${name}: ${text}`);
    }
    return found;
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

/** Makes a call with up to four flags and names in any order, and with something behind it. */
function randomCall(random: (below: number) => number): string {
  const pick = (all: string): string => {
    const list = all.split(/\n? *\|/);
    return list[random(list.length)] ?? "";
  };
  const words = Array.from({ length: 1 + random(4) }, () => pick(random(5) < 2 ? FLAGS : NAMES));
  const call = [pick(CALLS), ...words].join(" ");
  return `${random(6) === 0 ? pick(STARTS) : ""}${call}${random(6) === 0 ? pick(INPUTS) : ""}${random(6) === 0 ? ` | ${pick(ENDS)}` : ""}`;
}

function usersOf(workspace: string): { name: string; rules: RuleSet; hides: string[] }[] {
  const rule = (action: string, resource: string, effect: Effect): SourcedRule => ({
    action,
    resource,
    effect,
    layer: "user",
    source: "prints",
  });
  const rulesOf = (user: SourcedRule[]) => ({
    ...stackLayers({ mode: { rules: [], ceilings: [] }, user, workspace: [], session: [] }),
    workspace,
  });
  return [
    { name: "without rules", rules: rulesOf([]), hides: [KEY] },
    { name: "with a deny", rules: rulesOf([rule("*", "*", "allow"), rule("read", "secrets/**", "deny")]), hides: [KEY, DENIED] },
  ];
}
