import { readFileSync } from "node:fs";
import { judge } from "@baton/core/permission/judge";
import { stackLayers } from "@baton/core/permission/rule-layers";
import type { Effect, SourcedRule } from "@baton/core/protocol/rule";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Folder } from "../../../../test/support/folder.ts";
import { gateCommand } from "../gate-command.ts";

/**
 * Each line is `KINDS :: COMMAND`, with the kinds of files that the command changes, or `-`. The kinds in parentheses may change as well, by
 * a plugin or a setting, or the gate asks about them although they do not. `*` stands for all kinds.
 */
const calls = readFileSync(new URL("../../../../test/permission/development-tools.txt", import.meta.url), "utf8")
  .split("\n")
  .filter(Boolean)
  .map((line) => {
    const [, changed = "", unsure = "", command = ""] = /^([^(]*?) ?(?:\((.*)\))? :: (.*)$/.exec(line) ?? [];
    return { kinds: changed.split(" ").filter((kind) => /\w/.test(kind)), unsure: unsure.split(" "), command };
  });
const kinds = [...new Set(calls.flatMap((call) => call.kinds))];

let folder: Folder;

beforeAll(async () => {
  folder = new Folder();
  for (const kind of kinds) await folder.write(`kinds/a.${kind}`, "x\n");
});
afterAll(() => folder[Symbol.dispose]());

const rule = (action: string, resource: string, effect: Effect): SourcedRule => ({
  action,
  resource,
  effect,
  layer: "user",
  source: "test",
});

/** A call, in several forms that make no difference. */
const forms: readonly ((command: string) => string)[] = [
  (command) => command,
  (command) => `timeout 60 ${command}`,
  (command) => `bash -c '${command.replaceAll("'", `'\\''`)}'`,
  (command) => `cd . && CI=1 ${command} 2>&1 | tail -5`,
  (command) => `if true; then ${command}; fi`,
];

/** The calls with a verdict for which `isWrong` is true, if everything but changes of one kind of file is allowed. */
function wrong(isWrong: (effect: Effect, changes: boolean, isUnsure: boolean) => boolean): string[] {
  const context = { workspace: folder.path, ownRoots: [], trusted: true, home: "/root" };
  return calls.flatMap((call, i) => {
    const form = forms[i % forms.length] ?? String; // together they meet each kind of call
    const command = /^cd |^\(|[$;|]/.test(call.command) ? call.command : form(call.command);
    const gated = gateCommand(command, context);
    return kinds
      .filter((kind) => {
        const user = [rule("*", "*", "allow"), rule("edit", `kinds/a.${kind}`, "deny")];
        const layers = stackLayers({ mode: { rules: [], ceilings: [] }, user, workspace: [], session: [] });
        const { effect } = judge({ ...layers, workspace: folder.path }, "run_command", gated);
        return isWrong(
          effect,
          call.kinds.includes(kind),
          call.unsure.some((each) => each === kind || each === "*"),
        );
      })
      .map((kind) => `${kind} :: ${command}`);
  });
}

test("a deny of a kind of file stops each call that changes such files, in whatever way it finds them", { timeout: 120_000 }, () => {
  expect(wrong((effect, changes) => changes && effect === "allow")).toEqual([]);
});

test("a deny of a kind of file stops no call that changes other kinds", { timeout: 120_000 }, () => {
  expect(wrong((effect, changes, isUnsure) => !changes && !isUnsure && effect !== "allow")).toEqual([]);
});

/** Files of a project, with calls that change them and calls that do not. */
const projectFiles: readonly (readonly [file: string, changing: readonly string[], others: readonly string[]])[] = [
  ["db/migrate/1_a.rb", ["rails g model Note", "bundle exec rails generate scaffold Note"], ["rails test", "rails routes"]],
  [
    "package.json",
    [
      "npm i lodash",
      "npm i lodash --dry-run=false",
      "pnpm add -D x",
      "npx npm-check-updates -u",
      "npx ncu -mu",
      "pn add x",
      "vp add x",
      "npx jsr add @a/b",
      "taze -w",
      "nx migrate latest",
    ],
    ["npm test", "npm ci", "npm ls", "taze", "vp test"],
  ],
  ["pyproject.toml", ["uv add httpx", "poetry remove x", "cd lib && uv add rich"], ["uv sync", "uv run pytest", "uv --version"]],
  [
    "lib/Cargo.toml",
    [
      "cargo add serde",
      "cargo --color never add serde",
      "cd lib && cargo rm x",
      "cargo add --manifest-path lib/Cargo.toml serde",
      "cargo rm x --manifest-path Cargo.toml",
    ],
    ["cargo test", "cargo fmt", "cargo --version", "cargo add serde --manifest-path=Cargo.toml"],
  ],
  [
    "go.mod",
    [
      "go get example.com/x",
      "gomajor get all",
      "go mod tidy",
      "timeout 9 go mod tidy",
      "go build -mod=mod ./...",
      "GOFLAGS=-mod=mod go build ./...",
      "cd lib && GOFLAGS=-mod=mod go vet",
    ],
    ["go test ./...", "go mod verify"],
  ],
  [
    "src/App.csproj",
    ["dotnet add package X --version 1.0", "dotnet add package X"],
    ["dotnet build", "dotnet format", "dotnet test src/App.csproj"],
  ],
  ["composer.json", ["composer require a/b", "php composer.phar remove a/b"], ["composer install", "composer show"]],
  [
    "src/__snapshots__/a.test.ts.snap",
    ["npx jest -u", "vitest run --update", "npm test -- -u", "pnpm exec jest -iu", "npx ava -u"],
    ["npx jest", "vitest run", "npm test"],
  ],
  [
    "ios/Info.plist",
    ["cd ios && agvtool new-version -all 2", "xcrun agvtool next-version", "defaults write ios/Info A B"],
    ["xcrun swift build"],
  ],
  ["build.zig.zon", ["zig fetch --save https://x/y"], ["zig build"]],
  ["gleam.toml", ["gleam add x"], ["gleam test"]],
  ["meson.build", ["meson format -i", "muon fmt -i"], ["meson compile"]],
  [
    "src/BUILD",
    ["gazelle", "bazel run //:gazelle", "buildozer 'add deps //x' //src:a", "buildifier -r ."],
    ["bazel build //...", "buildifier -mode=check -r ."],
  ],
  ["CHANGELOG.md", ["cz bump", "bump2version patch", "towncrier build --yes"], ["git log", "npm test"]],
  ["requirements.txt", ["pip-compile", "python3 -m piptools compile"], ["pip install -r requirements.txt", "pytest"]],
  ["Gemfile", ["bundle add x", "bundle remove x"], ["bundle exec rspec", "bundle list"]],
  [
    "db/migrate/1_a.rb",
    ["rails g migration X", "bin/rails generate model Post"],
    ["rails db:migrate:status", "rails g controller Posts", "rails test"],
  ],
  [
    "prisma/schema.prisma",
    ["npx prisma db pull", "npx prettier --write . --plugin prettier-plugin-prisma"],
    ["npx prisma db pull --print"],
  ],
  [
    "pubspec.yaml",
    ["flutter pub add http", "dart pub remove http", "flutter packages add x", "dart pub upgrade --tighten", "cider bump minor"],
    ["flutter pub get", "dart pub outdated", "flutter test"],
  ],
  ["Package.swift", ["swift package add-target Foo", "swift package tools-version --set 5.10"], ["swift build", "swift package describe"]],
  ["k8s/kustomization.yaml", ["cd k8s && kustomize edit fix", "(cd k8s; kustomize edit set image a=a:2)"], ["kustomize build k8s"]],
  ["charts/web/Chart.yaml", ["helm create charts/web"], ["helm lint charts/web", "helm package charts/web"]],
  [".gitmodules", ["forge install foundry-rs/forge-std", "forge update"], ["forge build", "forge test"]],
  ["public/index.html", ["hugo", "hugo --minify"], ["hugo server", "hugo version"]],
  ["docs/index.html", ["npx typedoc", "swag init"], ["npx typedoc --out /tmp/d src"]],
  [
    "android/app/build.gradle",
    ["npx expo prebuild", "dart run flutter_native_splash:create", "flutterfire configure -y"],
    ["npx expo-doctor", "flutter test"],
  ],
  ["lib/main.rb", ["rubocop --autocorrect-all --only Layout/EndOfLine"], ["rubocop --only Layout/EndOfLine"]],
  ["App.sln", ["dotnet new sln --force"], ["dotnet build", "dotnet sln App.sln list"]],
  [
    "database/migrations/a.php",
    ["php artisan make:migration x", "php artisan make:model Post -m"],
    ["php artisan make:test X", "php artisan test"],
  ],
];

test.each(projectFiles)("a deny of %s stops the calls that change it, and no others", async (file, changing, others) => {
  using project = new Folder();
  await project.write(file, "x\n");
  await project.write("lib/a.txt", "x\n");
  const user = [rule("*", "*", "allow"), rule("edit", file, "deny")];
  const layers = stackLayers({ mode: { rules: [], ceilings: [] }, user, workspace: [], session: [] });
  const passes = (command: string) => {
    const gated = gateCommand(command, { workspace: project.path, ownRoots: [], trusted: true, home: "/root" });
    return judge({ ...layers, workspace: project.path }, "run_command", gated).effect === "allow";
  };
  expect([changing.filter(passes), others.filter((command) => !passes(command))]).toEqual([[], []]);
});
