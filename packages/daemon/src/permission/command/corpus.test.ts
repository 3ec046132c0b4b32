import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, symlinkSync, utimesSync } from "node:fs";
import path from "node:path";
import { judge, type RuleSet } from "@baton/core/permission/judge";
import { stackLayers } from "@baton/core/permission/rule-layers";
import { code } from "@baton/core/mode/builtin/code";
import { plan } from "@baton/core/mode/builtin/plan";
import { rulesOfMode } from "@baton/core/mode/mode-rules";
import type { Effect, SourcedRule } from "@baton/core/protocol/rule";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Folder } from "../../../test/support/folder.ts";
import { randomFrom } from "../../../test/permission/nesting.ts";
import { shellText } from "../../../test/permission/shell-text.ts";
import { reshapesIn } from "../../../test/permission/reshape.ts";
import { gateCommand } from "./gate-command.ts";
import type { Table } from "./tables/argument-table.ts";
import { readers } from "./tables/readers.ts";
import { writers } from "./tables/writers.ts";

const lines = (name: string) =>
  readFileSync(new URL(`../../../test/permission/${name}`, import.meta.url), "utf8")
    .split("\n")
    .filter(Boolean);

const rule = (action: string, resource: string, effect: Effect): SourcedRule => ({
  action,
  resource,
  effect,
  layer: "user",
  source: "corpus",
});

const DENIES = [
  rule("read", "secrets/**", "deny"),
  rule("edit", "**/*.lock", "deny"),
  rule("edit", "protected/**", "deny"),
  ...["git push*", "npm publish*", "gh pr merge*", "kubectl delete*", "terraform apply*"].map((command) =>
    rule("command", command, "deny"),
  ),
];

/** The rules of the user: none, a week of grants, all edits, everything with some denies, and only denies. */
const RULES: Readonly<Record<string, readonly SourcedRule[]>> = {
  none: [],
  broad: lines("broad.txt").map((command) => rule("command", command, "allow")),
  edits: [rule("edit", "*", "allow"), rule("read", "*", "allow")],
  star: [rule("*", "*", "allow"), ...DENIES],
  deny: DENIES,
};

const everything = rule("*", "*", "allow");
const allowed = (...commands: string[]) => commands.map((command) => rule("command", command, "allow"));
const TIGHT = [
  rule("read", "secrets/**", "deny"),
  rule("edit", "config/prod.yaml", "deny"),
  rule("edit", "vendor/**", "deny"),
  ...["git push*", "npm publish*", "rm*"].map((command) => rule("command", command, "deny")),
];

/** More rules of users: all but some files and programs, grants for programs, and grants that name verbs. `plan` has the rules of its mode. */
const MORE: Readonly<Record<string, readonly SourcedRule[]>> = {
  plan: [],
  planstar: [everything],
  tight: [everything, ...TIGHT],
  grants: [
    ...allowed(
      "npm test*",
      "git *",
      "make *",
      "docker compose *",
      "cargo *",
      "go test *",
      "pytest *",
      "node scripts/*",
      "python scripts/*",
    ),
    ...allowed("npx prettier *", "npx eslint *", "kubectl get *", "gh pr *", "tsc *", "jest *", "./gradlew *", "mvn test*", "ffmpeg *"),
    ...allowed("curl http://localhost*", "sqlite3 app.db *"),
    rule("command", "git push*", "deny"),
    rule("read", "secrets/**", "deny"),
  ],
  exact: [
    ...allowed(
      "pnpm test",
      "make check",
      "make all",
      "git status",
      "git push",
      "git push --force",
      "npm publish",
      "rm -rf dist",
      "rm -rf a b",
    ),
    ...allowed("sh", "psql", "./nohup x", "python manage.py shell"),
    rule("edit", "scripts/**", "allow"),
  ],
  exceptions: [
    everything,
    ...["git push --no-verify*", "git push*", "git commit --no-verify*", "git commit*", "kubectl -n prod*", "kubectl delete*"].map(
      (command) => rule("command", command, "deny"),
    ),
    ...["make seed*", "make *", "RAILS_ENV=production *", "rails *"].map((command) => rule("command", command, "deny")),
    ...allowed("git push origin dev*", "git commit -m *", "kubectl delete pod*", "make build*", "rails c*", "gh release *"),
    rule("read", "secrets/**", "deny"),
    rule("edit", "protected/**", "deny"),
  ],
  verbs: [
    ...allowed("kubectl *", "kubectl apply *", "kubectl create *", "kubectl cp *", "docker *", "docker push *", "docker secret *"),
    ...allowed("bazel *", "bazel run *", "adb *", "adb push *", "helm *", "helm install *", "helm upgrade *", "ssh *", "scp *", "rsync *"),
    ...allowed("terraform *", "terraform apply *", "gh *", "gh release *", "gh gist *", "gh secret *", "glab *", "glab snippet *", "aws *"),
    ...allowed("aws s3 *", "gcloud *", "az *", "npm *", "npm run *", "node *", "python *", "curl *", "git *", "make *", "sqlite3 *"),
    ...allowed("ffmpeg *", "tsc *", "javac *", "gcc *", "pytest *", "bash scripts/*", "sh scripts/*", "unzip *", "cp *", "ls *", "xargs *"),
    ...allowed("cat *", "mosh *", "go *", "cargo *", "pip *", "uv *", "poetry *", "mvn *", "gradle *", "dotnet *", "perl *", "ruby *"),
    ...allowed("openssl *", "psql *", "duckdb *", "redis-cli *"),
    ...TIGHT,
  ],
  programs: allowed("valgrind *", "./build/test*", "nix *", "mise *", "duckdb *"),
};

/** Each set of rules in its layers. */
const SETS: ReadonlyMap<string, RuleSet> = new Map(
  Object.entries(RULES).map(([name, user]) => [name, stackLayers({ mode: { rules: [], ceilings: [] }, user, workspace: [], session: [] })]),
);
const ALL_SETS: ReadonlyMap<string, RuleSet> = new Map([
  ...SETS,
  ...Object.entries(MORE).map(([name, user]) => {
    const mode = rulesOfMode(name.startsWith("plan") ? plan : code);
    return [name, stackLayers({ mode, user, workspace: [], session: [] })] as const;
  }),
]);

const FILES =
  "README.md p list.txt secrets/db.txt secrets/deep/key.txt protected/x.txt src/a.ts src/b.ts src/deep/a.ts sub/yarn.lock sub/x.ts yarn.lock .env .env.local tmpl/.npmrc into/db.txt tools/bash nohup package.json evilgit/HEAD evilgit/commondir evil2/HEAD evil2/config evil2/objects evil2/refs cfg Makefile Cargo.toml go.mod tmpl2/.github/workflows/ci.yml tmpl2/.vscode/s.json notes.md config/prod.yaml config/dev.yaml vendor/lib.js docker-compose.yml scripts/build.js scripts/gen.py src/scripts/build.js src/scripts/gen.py gradlew app.db data.json data.csv";
/** Files with names of others. */
const LISTS = { "names.txt": "README.md\nsrc/a.ts\n", "denied.txt": "README.md\nsecrets/db.txt\n", "odd.txt": "README.md\n-f\n" };
const LINKS = [
  ["secrets", "seclink"],
  ["/etc", "etclink"],
  ["secrets/db.txt", "innocent.txt"],
  ["../secrets", "lnk/sec"],
  ["/etc", "lnk/etc"],
  ["src", "srclink"],
  ["config/prod.yaml", "prodlink"],
];

let folder: Folder;

beforeAll(async () => {
  folder = new Folder();
  for (const file of FILES.split(" ")) {
    await folder.write(file, "x\n");
    chmodSync(folder.at(file), 0o755);
  }
  for (const [file, names] of Object.entries(LISTS)) await folder.write(file, names);
  for (const [target = "", link = ""] of LINKS) {
    mkdirSync(path.dirname(folder.at(link)), { recursive: true });
    symlinkSync(target, folder.at(link));
  }
  const git = (...words: string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...words], { cwd: folder.path, stdio: "ignore" });
  git("init", "-q");
  git("add", "-A");
  git("commit", "-qm", "all");
  // For git, all files have changed since then.
  for (const file of FILES.split(" ")) utimesSync(folder.at(file), 1, 1);
});

afterAll(() => folder[Symbol.dispose]());

/** Returns the lines whose verdict is wrong. Each line is `SETS :: COMMAND`, as `shellText` reads it. */
function wrong(file: string, isRight: (effect: Effect) => boolean, expand = (line: string): string[] => [line]): string[] {
  const context = { workspace: folder.path, ownRoots: [], trusted: true, home: "/root" };
  return lines(file)
    .flatMap(expand)
    .flatMap((line) => {
      const [, sets = "", text = ""] = /^([\w,]+) :: (.*)$/.exec(line) ?? [];
      const gated = gateCommand(shellText(text), context);
      return sets.split(",").flatMap((name) => {
        const set = ALL_SETS.get(name);
        if (!set) throw new Error(`There is no set of rules "${name}".`);
        const { effect, why } = judge({ ...set, workspace: folder.path }, "run_command", gated);
        return isRight(effect) ? [] : [`${name}: ${text}: ${why}`];
      });
    });
}

test("no line that bypasses a rule is allowed", { timeout: 240_000 }, () => {
  expect(wrong("attacks.txt", (effect) => effect !== "allow")).toEqual([]);
});

test("no line that somebody wrote without a look at the gate is allowed", { timeout: 120_000 }, () => {
  expect(wrong("strange-lines.txt", (effect) => effect !== "allow")).toEqual([]);
});

/** The forms of the word in a template: denied commands, and paths of denied or protected files. Git does not follow links. */
const FORMS: Readonly<Record<string, readonly string[]>> = {
  RUN: ["git push origin main", "/usr/bin/git push", "git -C . push", "kubectl delete pod x", "npm publish"],
  TRACKED: ["secrets/db.txt", "./secrets//db.txt", "src/../secrets/db.txt"],
  READ: ["secrets/db.txt", "./secrets//db.txt", "src/../secrets/db.txt", "seclink/db.txt", "innocent.txt", "lnk/sec/db.txt"],
  FOLDER: ["secrets", "./src/../secrets", "seclink/"],
  WRITE: ["protected/x.txt", "yarn.lock", "src/../protected/x.txt"],
};
const PROTECTED = "tmpl2/.vscode/s.json";

const WORD = new RegExp(`(${Object.keys(FORMS).join("|")})(?![A-Z])`);

/** Returns a template with each form of its word. */
function formsOf(template: string): string[] {
  const word = WORD.exec(template)?.[0] ?? "";
  const filled = (form: string) => template.replaceAll(new RegExp(WORD, "g"), () => form);
  const written = word === "WRITE" ? [filled(PROTECTED).replace(/^[\w,]+/, "star,edits,broad")] : [];
  return [...(FORMS[word] ?? [""]).map(filled), ...written];
}

test("no way to run, read or write leads past a deny or to a protected file", { timeout: 240_000 }, () => {
  expect(wrong("templates.txt", (effect) => effect !== "allow", formsOf)).toEqual([]);
});

test("every known gap still exists, and a line that Baton now judges correctly moves to the other list", { timeout: 240_000 }, () => {
  const judgements = (file: string) => lines(file).reduce((sum, line) => sum + (line.split(" :: ")[0] ?? "").split(",").length, 0);
  expect(wrong("known-gaps.txt", (effect) => effect !== "allow")).toHaveLength(judgements("known-gaps.txt"));
  expect(wrong("known-questions.txt", (effect) => effect === "allow")).toHaveLength(judgements("known-questions.txt"));
});

test("the justified requests still appear, and docs/decisions/command-gate.md has their reasons", { timeout: 240_000 }, () => {
  expect(wrong("justified-questions.txt", (effect) => effect !== "allow")).toEqual([]);
});

test("with typical grants, Baton does not ask about the usual commands of agents", { timeout: 240_000 }, () => {
  expect(wrong("transcripts.txt", (effect) => effect === "allow")).toEqual([]);
});

test.each(["echo x > src/a.ts", "git diff > README.md", "cat secrets/db.txt", "git push"])(
  "no allowed command in front makes `%s` pass",
  { timeout: 240_000 },
  (last) => {
    const context = { workspace: folder.path, ownRoots: [], trusted: true, home: "/root" };
    const name = last.endsWith("a.ts") || last.endsWith("README.md") ? "broad" : "star";
    const texts = lines("transcripts.txt").filter((line, i) => i % 4 === 0 || / (src\/a\.ts|README\.md)/.test(line));
    const set = SETS.get(name);
    if (!set) throw new Error(`There is no set of rules "${name}".`);
    const passed = texts.filter((line) => {
      const text = `${shellText(line)}\n${last.replace(/ (?=secrets\/|src\/|README)/, ` ${folder.path}/`)}`; // the line may have left the folder
      return judge({ ...set, workspace: folder.path }, "run_command", gateCommand(text, context)).effect === "allow";
    });
    expect(passed).toEqual([]);
  },
);

/** The nightly run takes every line. */
const EVERY = process.env["BATON_EVERY_PAIR"] ? 1 : 10;

test("no verdict is looser if the environment has programs of the project by the same names", { timeout: 240_000 }, () => {
  const context = { workspace: folder.path, ownRoots: [], trusted: true, home: "/root" };
  const order: Effect[] = ["allow", "ask", "deny"];
  const looser: string[] = [];
  const readers: string[] = [];
  const texts = ["attacks.txt", "transcripts.txt", "justified-questions.txt"].flatMap(lines).map((line) => line.replace(/^[\w,]+ :: /, ""));
  for (const [i, text] of texts.entries()) {
    if (i % EVERY !== 0) continue; // every tenth line covers all programs
    const command = shellText(text);
    const programs = new Map([...command.matchAll(/[a-z][\w.+-]*/g)].map(([name]) => [name, `.venv/bin/${name}`]));
    const [plain, changed] = [gateCommand(command, context), gateCommand(command, { ...context, programs })];
    for (const [name, set] of SETS) {
      const [before, after] = [plain, changed].map((gated) => judge({ ...set, workspace: folder.path }, "run_command", gated).effect);
      if (before && after && order.indexOf(after) < order.indexOf(before)) looser.push(`${name}: ${text}`);
      const startsOne = changed.some(({ resource }) => resource.startsWith(".venv/bin/"));
      if (name === "none" && after === "allow" && startsOne) readers.push(text);
    }
  }
  expect(looser).toEqual([]);
  expect(readers).toEqual([]); // nobody knows that a program of the project only reads
});

/** Files of the folder that the changes of a line may name in another way. */
const NAMED = "README.md list.txt secrets/db.txt protected/x.txt src/a.ts yarn.lock sub/yarn.lock secrets src innocent.txt";

test("no change that keeps the meaning of a line makes Baton allow it", { timeout: 240_000 }, () => {
  const context = { workspace: folder.path, ownRoots: [], trusted: true, home: "/root" };
  const texts = ["attacks.txt", "transcripts.txt", "templates.txt"]
    .flatMap((file) => (file === "templates.txt" ? lines(file).flatMap(formsOf) : lines(file)))
    .map(shellText);
  const random = randomFrom(1);
  const changes = reshapesIn(folder.path, NAMED.split(" "));
  const allowing = (text: string): string[] => {
    const gated = gateCommand(text, context);
    return [...SETS].flatMap(([name, set]) =>
      judge({ ...set, workspace: folder.path }, "run_command", gated).effect === "allow" ? [name] : [],
    );
  };
  const changed = Array.from({ length: 1_000 }, () => {
    const text = texts[random(texts.length)] ?? "";
    const once = changes[random(changes.length)]?.(text, random);
    return { text, now: once !== undefined && random(3) === 0 ? (changes[random(changes.length)]?.(once, random) ?? once) : once };
  }).flatMap(({ text, now }) => (now === undefined ? [] : [{ text, now }]));
  const looser = changed.flatMap(({ text, now }) => {
    const before = allowing(text);
    return allowing(now).flatMap((name) => (before.includes(name) ? [] : [`${name}: ${text} => ${now}`]));
  });
  expect(changed.length).toBeGreaterThan(300);
  expect(looser).toEqual([]);
});

/** Returns the calls of these programs that pass although the rules deny the file, in every form of a call. `parts` names the file. */
function passingForms(
  programs: readonly string[],
  parts: Readonly<Record<string, string>>,
  applies = (_: string): boolean => true,
): string[] {
  const context = { workspace: folder.path, ownRoots: [], trusted: true, home: "/root" };
  const forms = lines("call-forms.txt").filter(applies).map(shellText);
  return programs.flatMap((program) =>
    forms
      .map((form) => form.replaceAll(/\bP(?!WD)\b/g, program).replaceAll(/\b[DFBO]\b/g, (part) => parts[part] ?? part))
      .filter((text) => {
        const rules = { rules: [], ceilings: [], ...SETS.get("star"), workspace: folder.path };
        return judge(rules, "run_command", gateCommand(text, context)).effect === "allow";
      }),
  );
}

test("no form of a call reads a denied file with a program that reads its operands", { timeout: 120_000 }, () => {
  const reads = ({ operands, only, textFirst, lastEdited }: Table) =>
    /^(reads|searches)$/.test(operands ?? "") && !only && textFirst === undefined && !lastEdited;
  const programs = Object.keys(readers).filter((name) => reads(readers[name] ?? {}));
  expect(programs.length).toBeGreaterThan(40);
  expect(passingForms(programs, { D: "secrets/db.txt", F: "secrets", B: "db.txt", O: "README.md" })).toEqual([]);
});

test("no form of a call changes a denied file with a program that edits its operands", { timeout: 120_000 }, () => {
  const edits = ({ operands, textFirst, into, firstEdited }: Table) =>
    operands === "edits" && textFirst === undefined && !into && !firstEdited;
  const programs = Object.keys(writers).filter((name) => edits(writers[name] ?? {}));
  expect(programs.length).toBeGreaterThan(8);
  const applies = (form: string) => !/^(cp|cat D)| < D|seclink|innocent|F\/d\*|s\?|s\*|\[d\]/.test(form); // these read the file, or name another one
  expect(passingForms(programs, { D: "protected/x.txt", F: "protected", B: "x.txt", O: "README.md" }, applies)).toEqual([]);
});
