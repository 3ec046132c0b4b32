import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { code } from "@baton/core/mode/builtin/code";
import { rulesOfMode } from "@baton/core/mode/mode-rules";
import { judge } from "@baton/core/permission/judge";
import { stackLayers } from "@baton/core/permission/rule-layers";
import type { Effect, SourcedRule } from "@baton/core/protocol/rule";
import { gateCommand } from "../../src/permission/command/gate-command.ts";
import { makeRepository } from "../support/git/repository.ts";
import { randomFrom } from "./nesting.ts";

const rule = (action: string, resource: string, effect: Effect): SourcedRule => ({
  action,
  resource,
  effect,
  layer: "user",
  source: "steps",
});
const DENIES = [rule("read", "secrets/**", "deny"), rule("edit", "**/*.lock", "deny"), rule("edit", "protected/**", "deny")];
const FILES = [rule("edit", "*", "allow"), rule("read", "*", "allow")];
const RULES: Readonly<Record<string, readonly SourcedRule[]>> = {
  files: FILES,
  "some files": [...FILES, ...DENIES],
  "all but": [rule("*", "*", "allow"), ...DENIES],
};

const CONTENTS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    `README.md secrets/db.txt secrets/deep/key.txt protected/x.txt src/a.ts src/b.ts deep/src/a.ts sub/yarn.lock sub/x.ts yarn.lock .env
    tmpl/.npmrc json/__init__.py bare/HEAD bare/objects/x bare/refs/x bare/config plain.env odd/-n`
      .split(/\s+/)
      .map((name) => [name, "x\n"]),
  ),
  "odd/a b": "x\n",
  "data.json": "{}\n",
  "package.json": "{}\n",
  "pkg/package.json": '{"packageManager":"yarn@4"}\n',
  "tmpl/.rgignore": "!.env\n",
  "list.txt": "README.md\n",
};
const LINKS = [
  ["secrets", "seclink"],
  ["secrets/db.txt", "innocent.txt"],
  ["/etc", "lnk/etc"],
  ["src", "srclink"],
] as const;

/** The paths that the first step takes, and those that it makes. */
const SOURCES = `README.md .env innocent.txt seclink src src/a.ts data.json bare bare/HEAD sub tmpl tmpl/.npmrc tmpl/.rgignore yarn.lock
  protected protected/x.txt secrets secrets/db.txt odd odd/-n json lnk lnk/etc srclink plain.env pkg pkg/package.json deep/src`.split(
  /\s+/,
);
const TARGETS = `q q/r src/new src data.json json.py src/json.py package.json .rgignore .gitattributes Makefile q.env .env -rf q/ . sub
  src/a.ts protected/y.txt x.lock bare/config HEAD objects .npmrc innocent.txt seclink src/x.json q/HEAD`.split(/\s+/);
const CHANGES = `mv S T|cp S T|cp -r S T|ln -s S T|ln -s ../S T|ln S T|mkdir -p T|touch T|echo x > T|cat S > T|cp -a S/. T|cp -r S/* T
  |mkdir -p q; cp -r S q/|mv S q; mv q T|mkdir T; mv S T|cd sub; cp -r ../S .|cp -r S q; cd q|mv S q; cd q|mkdir q; cp -r S q; cd q
  |rm -rf S; mv T S|rm S; ln -s T S|git mv S T|ln -sf S T|cp -P S T|install -D S T|tee T < S|rsync -a S T|sed -n p S > T
  |for f in S; do cp -r $f T; done|rm -rf S; mkdir S|mv T q; mv S T|mv T q; ln -s S T|ln -s S T; rm T; mkdir T|ln -s . q; cp S q/T
  |pushd sub; mv ../S ../T; popd|mkdir q; mv README.md q/-rf; cd q|mkdir q; cp README.md "q/a b"|echo S > list.txt|ls S > list.txt
  |echo 'require(1)' > T|cat tmpl/.rgignore > T`.split(/\s*\|/);

/** The second step. Each of these asks or is denied in some state of the folder. */
const COMMANDS = `cat P|cat P/*|cat *|cat */*|grep -r x P|grep -rn x .|rg x|rg x P|head -3 P/db.txt|git status|git -C P status|git log -p
  |git diff|git show HEAD:P|git grep x|cd P; git status|cd P && cat *|cd P; cat db.txt|node -p 'require("./P")'|node -p 'require("./data.json").x'
  |python3 -c 'import json; print(json.load(open("data.json")))'|cd src; python3 -c 'import json; print(1)'|cat data.json | python3 -m json.tool
  |find P -type f | xargs cat|find . -type f | xargs grep x|find P -name '*.ts' | xargs rm|find * -name x|wc -l *|sort *
  |for f in *; do cat "$f"; done|for f in P/*; do head -1 "$f"; done|while read -r f; do cat $f; done < list.txt|ls src | xargs cat
  |cp P out.txt|cp -r P out|mv P out|rm -rf P|echo x > P/y.txt|echo x >> P/x.txt|cp README.md P|cp README.md P/x.lock|touch -- P/x.txt
  |sed -i s/x/y/ P|sed -i s/x/y/ P/x.txt|sed -n 1p P|jq . P|diff P README.md|diff -r P src|tar cf out.tar P|pnpm --version|yarn --version
  |go version|npm ls|git stash|git add -A|git ls-files | xargs cat|cat $(git ls-files P)|cat $(ls P)|cat $(find P -name '*.txt')|cat < P
  |stat P|readlink -f P|awk '{print}' P/*|xargs -a P cat|grep -f P src/a.ts|sha256sum P/*|gzip -k P|tree P|git archive HEAD|cat ./*/*
  |cat q/db.txt|cd q; git status|cd q; cat *|git -C q status|echo x > q/y.lock|cp -r . /tmp/out|find . -exec cat {} +`.split(
  /\s*\n?\s*\|(?! )/,
);

/** A text that passes as a whole, although its second command would ask if its first one had run before. */
export type Looser = { rules: string; text: string; why: string };

/**
 * Judges texts with two steps: one changes files, and the other uses them. The gate sees the files before the first step. For
 * comparison the first step runs, and the gate judges the second one alone. `pairs` counts the texts that passed as a whole.
 */
export function compareSteps(setups: number, seed: number): { pairs: number; looser: Looser[] } {
  const root = realpathSync(mkdtempSync(path.join(tmpdir(), "baton-steps-")));
  const random = randomFrom(seed * 7919 + 17);
  for (let i = 0; i < 5; i++) random(2); // the first numbers of neighbouring seeds are similar
  const pick = <T>(from: readonly [T, ...T[]] | readonly T[]): T => from[random(from.length)] as T;
  const result: { pairs: number; looser: Looser[] } = { pairs: 0, looser: [] };
  try {
    const template = makeTemplate(path.join(root, "template"));
    for (let made = 0; made < setups; made++) {
      const [source, target] = [pick(SOURCES), pick(TARGETS)];
      const change = pick(CHANGES).replaceAll("S", source).replaceAll("T", target);
      const users = Object.keys(RULES).filter((rules) => judged(change, template, rules).effect === "allow");
      if (users.length === 0) continue;
      const after = path.join(root, String(made));
      cpSync(template, after, { recursive: true, verbatimSymlinks: true });
      const { folder, joints } = run(change, after);
      for (const shape of COMMANDS) {
        const named = pick([source, target, target, path.dirname(target), `${target}/${path.basename(source)}`]);
        const [command, rules] = [shape.replaceAll("P", named), pick(users)];
        const text = `${change}${pick(joints)}${command}`;
        if (judged(text, template, rules).effect !== "allow") continue;
        result.pairs += 1;
        const { effect, why } = judged(`cd ${path.relative(after, folder) || "."}; ${command}`, after, rules);
        if (effect !== "allow") result.looser.push({ rules, text, why });
      }
      rmSync(after, { recursive: true, force: true });
    }
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
  return result;
}

function makeTemplate(folder: string): string {
  mkdirSync(path.join(folder, "lnk"), { recursive: true });
  for (const [to, at] of LINKS) symlinkSync(to, path.join(folder, at));
  makeRepository(folder, CONTENTS);
  return folder;
}

/** Runs the change in a folder. Returns the folder in which its shell ends, and the signs behind which the next command runs. */
function run(change: string, folder: string): { folder: string; joints: string[] } {
  const end = `${folder}.pwd`;
  const text = `${change}\nstatus=$?; pwd > '${end}'; exit $status`;
  const { status } = spawnSync("bash", ["-c", text], { cwd: folder, stdio: "ignore", timeout: 10_000 });
  return { folder: readFileSync(end, "utf8").trim(), joints: status === 0 ? ["; ", "\n", " && "] : ["; ", "\n"] };
}

function judged(text: string, workspace: string, rules: string): ReturnType<typeof judge> {
  const layers = stackLayers({ mode: rulesOfMode(code), user: RULES[rules] ?? [], workspace: [], session: [] });
  return judge({ ...layers, workspace }, "run_command", gateCommand(text, { workspace, ownRoots: [], trusted: true, home: "/root" }));
}
