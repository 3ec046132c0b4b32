import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { loadRegexEngine } from "@baton/core/text/regex";
import { judge } from "@baton/core/permission/judge";
import { matchesResource } from "@baton/core/permission/wildcard";
import type { Effect, SourcedRule } from "@baton/core/protocol/rule";
import { beforeAll, expect, test } from "vitest";
import { toPathResources } from "./claude-rule-patterns.ts";
import { translateIgnorePattern } from "@baton/core/text/glob-pattern";

beforeAll(loadRegexEngine);

/** Texts without spaces, one after the other. */
const words = (...lines: string[]): string[] => lines.flatMap((line) => line.split(" "));

const PATTERNS = [
  ...words(
    String.raw`secrets/ private .env *.env /top /top/ src/** src/* src/**/a.ts **/a.ts **/secrets/* a/**/b/** ./src/a.ts a//b src/**/*.ts`,
    String.raw`?.md file[bc].md file[!bc].md file[^b-d].md [a-c]* x[+-9]y []-]x a[[]b \*.md \!keep \#a {a,b}.md a.b a+b (a) $a`,
    String.raw`* ** /** **/ a/**/ */a.ts a**b src/*** [z-a]x [abc [[:alpha:]]x file[ [!z-a]x`,
  ),
  String.raw`a\ b`,
  "a ",
];

const PATHS = [
  ...words(
    "secrets secrets/a x/secrets/b private private/a x/private/y/z privates .env a/.env a.env b/a.env/c .envx top top/a x/top src src/a.ts",
    "src/x/a.ts src/x/y/a.ts x/src/a.ts a.ts a/b a/b/c a/x/b/c a/x/y/b/c a/x a.md ab.md b.md fileb.md filed.md file/.md x/y x/0y x5y x,y",
    "]x -x a[b *.md !keep #a a ax/b axb {a,b}.md axb/c a+b aab (a) $a äö zx [abc abc file[ 1x x/a.ts",
  ),
  "a b",
  "x/\n/.env",
  "\n.env",
];

/** The answer of git itself: the paths that each pattern covers. */
function askGit(patterns: readonly string[], paths: readonly string[]): Set<string>[] {
  const root = mkdtempSync(path.join(tmpdir(), "baton-ignore-"));
  try {
    execFileSync("git", ["init", "-q", root]);
    for (const [i, pattern] of patterns.entries()) {
      mkdirSync(path.join(root, `p${i}`));
      writeFileSync(path.join(root, `p${i}`, ".gitignore"), `${pattern}\n`);
    }
    const input = patterns.flatMap((_, i) => paths.map((file) => `p${i}/${file}`)).join("\0");
    const ignored = execFileSync("git", ["-C", root, "check-ignore", "--no-index", "-z", "--stdin"], { input, encoding: "utf8" }).split(
      "\0",
    );
    const covered = new Set(ignored);
    return patterns.map((_, i) => new Set(paths.filter((file) => covered.has(`p${i}/${file}`))));
  } finally {
    rmSync(root, { recursive: true });
  }
}

test("a denied pattern covers everything that git matches, an allowed one covers no more, and both are exact where that can be expressed", () => {
  const truth = askGit(
    PATTERNS.map((pattern) => pattern.replace(/^\.\//, "/")),
    PATHS,
  );
  const of = (pattern: string, effect: Effect) => {
    const { resources } = toPathResources(pattern, effect, "/home/me");
    return new Set(PATHS.filter((file) => resources.some((resource) => matchesResource(resource, file))));
  };
  const wrong = PATTERNS.flatMap((pattern, i) => {
    const [denied, allowed, git] = [of(pattern, "deny"), of(pattern, "allow"), truth[i] ?? new Set()];
    const lost = PATHS.filter((file) => git.has(file) && !denied.has(file));
    const gained = PATHS.filter((file) => !git.has(file) && allowed.has(file));
    const isExact =
      translateIgnorePattern(pattern, { below: "", wider: false })?.exact === true && !pattern.endsWith("/") && !pattern.startsWith("./");
    const differing = isExact ? PATHS.filter((file) => denied.has(file) !== git.has(file) || allowed.has(file) !== git.has(file)) : [];
    return lost.length + gained.length + differing.length === 0 ? [] : [{ pattern, lost, gained, differing }];
  });
  expect(wrong).toEqual([]);
  expect(truth.filter(({ size }) => size > 0).length).toBeGreaterThan(35);
});

test.each(["../x", "a/../b", "!a", "#a", "a\\"])("%j cannot be expressed at all", (pattern) => {
  expect(translateIgnorePattern(pattern, { below: "", wider: true })).toBeUndefined();
});

test("a pattern for paths of the workspace covers none outside", () => {
  for (const pattern of ["*", "**", "**/a", "*/a", ".env", "[!b]*", "?tmp"])
    expect(toPathResources(pattern, "allow", "/h").resources.some((resource) => matchesResource(resource, "/tmp/a"))).toBe(false);
});

/** Whether the rules for a path decide over a file, in a folder with a session. */
function covers(pattern: string, effect: Effect, file: string): boolean {
  const rules = toPathResources(pattern, effect, "/home/me").resources.map((resource): SourcedRule => ({
    action: "read",
    resource,
    effect,
    layer: "user",
    source: "test",
  }));
  return judge({ rules, ceilings: [], workspace: "/home/me/work" }, "read", [{ action: "read", resource: file }]).effect === effect;
}

test.each([
  ["//etc/passwd", "/etc/passwd", "etc/passwd"],
  ["//etc/**", "/etc/a/b", "etc/a"],
  ["//etc/*.conf", "/etc/a.conf", "/etc/a/b.conf.d"],
  ["//**/id_rsa", "/x/y/id_rsa", "/x/id_rsab"],
  ["~/keys/*.pem", "/home/me/keys/a.pem", "/home/you/keys/a.pem"],
  ["//home/me/work/secrets/**", "secrets/a", "x/secrets/a"],
  ["//home/me/work/secrets/**", "/home/me/work/secrets/a", "secret"],
  ["~/work/*.key", "a.key", "x/a.key"],
  ["/secrets/", "secrets/a", "x/secrets/a"],
  ["./docs/**", "docs/a", "x/docs/a"],
])("denying %s covers %s and not %s", (pattern, covered, not) => {
  expect([covers(pattern, "deny", covered), covers(pattern, "deny", not)]).toEqual([true, false]);
});

test("a rule that is wider or cannot be expressed is reported", () => {
  const exactnessOf = (pattern: string, effect: Effect) => toPathResources(pattern, effect, "/home/me").inexact;
  expect(
    ["./.env", "[[:alpha:]]x", "../x", "//etc/a", "~/work/a", ".env", "secrets/"].map((pattern) => exactnessOf(pattern, "deny")),
  ).toEqual(["wider", "wider", "not", undefined, undefined, undefined, undefined]);
  expect(["./.env", "[[:alpha:]]x", "../x", "//etc/a"].map((pattern) => exactnessOf(pattern, "allow"))).toEqual([
    undefined,
    "not",
    "not",
    undefined,
  ]);
  expect([covers("./.env", "allow", ".env"), covers("./.env", "allow", "a/.env"), covers("./.env", "deny", "a/.env")]).toEqual([
    true,
    false,
    true,
  ]);
});
