import { spawnSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { judge, type RuleSet } from "@baton/core/permission/judge";
import { stackLayers } from "@baton/core/permission/rule-layers";
import type { Effect, SourcedRule } from "@baton/core/protocol/rule";
import { gateCommand } from "../../src/permission/command/gate-command.ts";
import { randomFrom } from "./nesting.ts";

/** Commands that read or make the file `t` or `u` of some folder. */
const FILES = `cat t|cat t|cat a/t|cat ./t|cat ../t|cat $x/t|cat "$x/t"|cat "$y"|cat t$!|cat a/$((1-1))t|cat "$x$!/t"|cat $x|head -n 1 t|cat */t|cat < t|cat b/../t|cat $(echo t)|f|g|g t|f a
  |cat "$PWD/t"|cat {a,b}/t|cat t t2|touch u|echo 1 > u|touch $x/u|cp t v|ls \\| xargs cat|find . -name t -exec cat {} +|grep -r x .|cat ~-/t|cat \${x:-t}
  |cat \${x}t|cat $1/t|cat "$1"|cat \${y##*/}|cat \${x%/b}/t|cat $x$y|cat [a-t]|cat ?|cat a/?/t|cat $(ls)|cat "$(basename $y)"|cat $(dirname $y)/t
  |cat $(pwd)/t|(cat t)|cat t & wait|while read -r l; do cat $l/t; done < t|for z in */; do cat $z/t; done|cat $z|cat ~/t|h a|cat -- t|xargs cat <<< t
  |xargs -I{} cat {}/t <<< a|cat << E\n$(cat t)\nE|echo $(< t)|read -r x < $x/t|[ -f t ] && cat t|test $x = a && cat t|cat t \\|\\| cat a/t`;
/** Commands that change the folder, or fail to. */
const MOVES = `cd a|cd b|cd ..|cd a/b|cd nosuch|cd a/../b|cd nosuch/..|cd -|cd -P a|cd ./a|pushd a|pushd a > /dev/null|popd|popd > /dev/null|cd a < nosuch
  |cd b > nosuch/x|cd $x|cd "$x"|cd a 2>/dev/null|cd t|cd a b|cd -- a|command cd a|builtin cd b|cd $(echo a)|cd "$(pwd)/a"|cd|cd .|cd a && cat t
  |cd b \\|\\| cat t|cd a \\|\\| exit 1|cd /|cd "$OLDPWD"|cd l|cd a/l2/..|CDPATH=a cd b|test -d a && cd a|[ -d nosuch ] && cd a|[[ -f t ]] && cd b
  |mkdir -p n/m|cd n|cd n/m|rmdir b/a|rm -r b|mv a c|ln -s a k|cd k|cd c|cd a \\|\\| return|cd a \\|\\| break|while cd a; do :; done|while cd ..; do break; done
  |for i in 1 2; do cd a; done|until cd a; do break; done|PWD=a|HOME=$PWD/a|pushd b > /dev/null && popd|pushd|cd ~-|cd ~+/a|pushd +1|cd -L l/..|cd -P l/..
  |cd l/../a|cd ''|cd $nothing|cd a/|cd ?|cd [a]|cd */a|cd a;cd b|cd a&&cd b`;
/** Commands that set variables and define functions. */
const SETS = `x=a|x=b|x=a/b|y=t|y=a/t|x=|x=$(echo a)|x=.|x=..|export x=b|local x=a|y=$x/t|x=$y|read x < t|unset x|x=\${x:-b}|declare x=a|f() { cat t; }
  |f() { cd a; }|g() { cat $1; }|g() { cd $1; cat t; }|f() { cd b; return; cd a; }|f() ( cd a; cat t )|h() { cd $1 && cat t; }|h() { for q in $@; do cat $q/t; done; }
  |h() { local x=$1; cat $x/t; }|f() { x=b; }|f() { if cd $x; then return; fi; cd b; }|IFS=/|set -- a b|printf -v x b`;
/** Commands that succeed, fail, or end a part of the text early. */
const ENDS = `true|false|echo $((1/0))|: $((08))|echo \${x@Z}|echo \${x:?}|break|continue|return|return 1|exit 0|break 2|: > nosuch/x|echo \${x:0:-9}|set -e|UID=3
  |nosuchprogram|echo \${!x}|[ a|[[ 1/0 -eq 1 ]]|let 1/0|(( 1 ))|wait|shift|:|echo \${a[1/0]}|echo \${x:$((1/0))}|trap 'cat t' EXIT|eval 'cd a'
  |sh -c 'cd a; cat t'|echo \${@:0:-9}|y=(1); echo \${y[@]:0:-9}|n=0'8'; echo $((n))|echo $[1/0]|bash -c 'cat $0/t' a|test -f t`;

const FOLDERS = [".", "a", "b", "a/b", "b/a", "a/a", "a/b/a"];

/** Makes a random text from these commands and everything that bash puts around commands. */
function randomScript(random: (below: number) => number): string {
  const pick = (all: readonly string[]): string => all[random(all.length)] ?? "";
  const [files, moves, sets, ends] = [FILES, MOVES, SETS, ENDS].map((each) =>
    each.split(/\n? *(?<!\\)\|/).map((text) => text.replaceAll("\\|", "|")),
  );
  const simple = (): string => pick([files, files, files, moves, moves, moves, sets, ends][random(8)] ?? []);
  const list = (depth: number): string =>
    Array.from({ length: 1 + random(depth > 2 ? 2 : 3) }, () => node(depth)).reduce(
      (text, next) => text + pick(["; ", "; ", " && ", " && ", " || ", "\n", "\n"]) + next,
    );
  const body = (depth: number): string => list(depth + 1) + pick(["; ", "\n"]);
  const compound: readonly ((depth: number) => string)[] = [
    (depth) => `( ${list(depth + 1)} )`,
    (depth) => `{ ${body(depth)}}`,
    (depth) => `if ${body(depth)}then ${body(depth)}fi`,
    (depth) => `if ${body(depth)}then ${body(depth)}elif ${body(depth)}then ${body(depth)}else ${body(depth)}fi`,
    (depth) => `for x in ${pick(["a b", "a", "b a/b", "*", "a/*", ". ..", "$x", "nosuch a"])}; do ${body(depth)}done`,
    (depth) => `for y in a/t b t; do ${body(depth)}done`,
    (depth) => `${pick(["while", "until"])} ${body(depth)}do ${body(depth)}break; done`,
    (depth) => `${pick(["f", "g", "h"])}() { ${body(depth)}}`,
    (depth) => `${node(depth + 1)} | ${pick(["cat", "head -n 3", node(depth + 1)])}`,
    (depth) => `! ${node(depth + 1)}`,
    (depth) => `${pick(["echo", "cat", "cd"])} "$(${list(depth + 1)})"`,
    (depth) => `x=$(${list(depth + 1)})`,
    (depth) => `{ ${body(depth)}} ${pick(["> /dev/null", "< nosuch", "2>&1", "< t", "> o"])}`,
    (depth) =>
      `case ${pick(["a", "$x", "b"])} in a) ${list(depth + 1)} ${pick([";;", ";&", ";;&"])} b|c) ${list(depth + 1)} ;; *) ${list(depth + 1)} ;; esac`,
  ];
  const node = (depth: number): string =>
    depth > 3 || random(10) < 6 ? simple() : (compound[random(compound.length)] ?? ((): string => simple()))(depth);
  return list(0);
}

/** `reads` counts the files that allowed texts have read. With none, nothing would be compared. */
export type ComparedScripts = { reads: number; wrong: string[] };

/**
 * Judges random texts for users who allow everything except the files of one folder, and runs those that pass. Returns each text that reads or
 * makes a file of that folder.
 */
export function compareScripts(cases: number, seed: number): ComparedScripts {
  const random = randomFrom(seed);
  const root = realpathSync(mkdtempSync(path.join(tmpdir(), "baton-scripts-")));
  const found: ComparedScripts = { reads: 0, wrong: [] };
  try {
    const [workspace, original, bin, home] = ["w", "original", "bin", "home"].map((name) => path.join(root, name)) as [
      string,
      string,
      string,
      string,
    ];
    for (const each of [bin, home, ...FOLDERS.map((folder) => path.join(original, folder))]) mkdirSync(each, { recursive: true });
    for (const folder of FOLDERS) writeFileSync(path.join(original, folder, "t"), folder === "." ? "a\n" : "x\n");
    symlinkSync("a/b", path.join(original, "l"));
    symlinkSync("../b/a", path.join(original, "a/l2"));
    for (const name of ["cat", "head", "cp", "grep"]) recordFiles(path.join(bin, name), name);
    const restore = () => {
      rmSync(workspace, { recursive: true, force: true });
      cpSync(original, workspace, { recursive: true, verbatimSymlinks: true });
    };
    restore();
    const users = FOLDERS.map((folder) => ({ folder, rules: exceptFilesOf(folder, workspace) }));
    for (let i = 0; i < cases; i += 1) {
      const text = randomScript(random);
      const gated = gateCommand(text, { workspace, ownRoots: [], trusted: true, home });
      const passes = users.filter(({ rules }) => judge(rules, "run_command", gated).effect === "allow");
      if (passes.length === 0) continue;
      const log = path.join(root, "log");
      writeFileSync(log, "");
      const env = { PATH: `${bin}:/usr/bin:/bin`, LOG: log, HOME: home };
      spawnSync("timeout", ["-s", "KILL", "2", "bash", "-c", text], { cwd: workspace, env, stdio: "ignore" });
      const read = readFileSync(log, "utf8").split("\n");
      found.reads += read.length - 1;
      for (const { folder } of passes) {
        const [t, u, v] = ["t", "u", "v"].map((name) => path.join(workspace, folder, name)) as [string, string, string];
        if (read.includes(t) || existsSync(u) || existsSync(v)) found.wrong.push(`${JSON.stringify(text)} touches ${folder}`);
      }
      restore();
    }
    return found;
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

function exceptFilesOf(folder: string, workspace: string): RuleSet {
  const rule = (action: string, resource: string, effect: Effect): SourcedRule => ({
    action,
    resource,
    effect,
    layer: "user",
    source: "scripts",
  });
  const [t, ...others] = ["t", "u", "v"].map((name) => path.join(folder, name)) as [string, ...string[]];
  const user = [rule("*", "*", "allow"), rule("read", t, "deny"), ...others.map((each) => rule("edit", each, "deny"))];
  return { ...stackLayers({ mode: { rules: [], ceilings: [] }, user, workspace: [], session: [] }), workspace };
}

/** Writes a program that notes the files in its arguments and on its input before it does its work. */
function recordFiles(file: string, name: string): void {
  writeFileSync(
    file,
    `#!/bin/bash
for each in "$@" "$(readlink /proc/$$/fd/0)"; do case $each in -*|"") ;; *) [ -e "$each" ] && realpath -- "$each" >> "$LOG";; esac; done
exec /usr/bin/${name} "$@"
`,
  );
  chmodSync(file, 0o755);
}
