import { expect, test } from "vitest";
import { limitsCall } from "./limited-call.ts";

const limits = (pattern: string, call: string, verbs = 1) => limitsCall(pattern, { words: call.split(" "), verbs });

/** Patterns of programs with a verb, each with a call that it limits. */
const LIMITED = [
  ["git push origin main*", "git push origin main"],
  ["git commit --amend*", "git commit --amend"],
  ["npm install lodash*", "npm install lodash"],
  ["docker compose restart db*", "docker compose restart db"],
  ["kubectl delete ns*", "kubectl delete ns a"],
  ["cargo run --bin migrate*", "cargo run --bin migrate"],
  ["terraform apply prod*", "terraform apply prod"],
  ["rails generate model*", "rails generate model User"],
] as const;

/** Words that a call may have at any place behind its verb. */
const INSERTED = ["-q", "--verbose", "-o value", "--option value", "--option=value", "other", "-- "];

const withInserted = (words: readonly string[], at: number, text: string): string => words.toSpliced(at, 0, text.trim()).join(" ");

test.each(LIMITED)("`%s` limits its call with any word at any place behind the verb", (pattern, call) => {
  const words = call.split(" ");
  const places = words.map((_, i) => i + 1).filter((at) => at > 1 && words[at - 1] !== "--bin");
  const calls = places.flatMap((at) => INSERTED.map((text) => withInserted(words, at, text)));
  const isFlagBehindDashes = (each: string) => /-- .*--?\w/.test(each); // those are no flags
  expect(calls.filter((each) => !limits(pattern, each) && !isFlagBehindDashes(each))).toEqual([]);
});

test.each(LIMITED)("`%s` limits its call with flags in front of the verb, and not the same words behind another verb", (pattern, call) => {
  const words = call.split(" ");
  const flags = INSERTED.filter((text) => /^-\w|^--\w/.test(text));
  expect(flags.map((text) => limits(pattern, withInserted(words, 1, text)))).toEqual(flags.map(() => true));
  expect(limits(pattern, withInserted(words, 1, "other"))).toBe(false);
});

test.each(LIMITED)("`%s` does not limit a call without one of its words", (pattern, call) => {
  const words = call.split(" ");
  const needed = [...words.keys()].filter((at) => at > 0 && words[at] !== "a" && words[at] !== "User");
  expect(needed.filter((at) => limits(pattern, words.toSpliced(at, 1).join(" ")))).toEqual([]);
});

test("a flag has other names, is shortened, or is in a cluster", () => {
  for (const call of ["git commit -anm x", "git commit --no-veri", "git commit --no-verify=x"])
    expect([call, limits("git commit --no-verify*", call)]).toEqual([call, true]);
  expect(limits("rm -rf*", "rm --force -v -R x")).toBe(true);
  expect(limits("rm -rf*", "rm -r x")).toBe(false);
  expect(limits("npm install --save-dev*", "npm install --save x")).toBe(false);
});

test("the value of a flag may be attached or be at another place", () => {
  for (const call of ["ansible-playbook -l prod site.yml", "ansible-playbook --limit=prod site.yml", "ansible-playbook -lprod site.yml"])
    expect([call, limits("ansible-playbook site.yml -l prod*", call, 0)]).toEqual([call, true]);
  expect(limits("ansible-playbook site.yml -l prod*", "ansible-playbook site.yml -l test", 0)).toBe(false);
});

test("a branch has other names in a call of git", () => {
  for (const word of ["main", "HEAD:main", "+main", "x:refs/heads/main", "refs/heads/main"])
    expect([word, limits("git push origin main*", `git push origin ${word}`)]).toEqual([word, true]);
  expect(limits("git push origin main*", "git push origin feature")).toBe(false);
});

test("a task may be shortened, have a path, or be one of several", () => {
  for (const task of ["bootRun", "bR", "bootR", ":app:bootRun", "clean bR"])
    expect([task, limits("gradle bootRun*", `gradle ${task}`, 0)]).toEqual([task, true]);
  expect(limits("gradle bootRun*", "gradle build", 0)).toBe(false);
  expect(limits("console doctrine:migrations:migrate*", "console d:m:m")).toBe(true);
  expect(limits("mix seed*", "mix do build, seed", 0)).toBe(true);
});

test("only the next word of `npm run` is a task, and what it gets is not judged", () => {
  expect(limits("npm run deploy*", "npm run -s deploy")).toBe(true);
  expect(limits("npm run deploy*", "npm run build deploy", 2)).toBe(false);
  expect(limits("npm run deploy*", "npm run build -- deploy")).toBe(false);
  expect(limits("npm run deploy -- --prod*", "npm run deploy -- -v --prod")).toBe(true);
});

test("a pattern with nothing but a program is left to the text", () => {
  expect(limits("git *", "git push")).toBe(false);
  expect(limits("git*", "git push")).toBe(false);
});

test("a word that is known only when it runs may be that of the pattern, unless it is the value of a flag behind another verb", () => {
  for (const call of ["git push origin \0", "git push -u origin ma\0", "git push origin x \0"])
    expect([call, limits("git push origin main*", call)]).toEqual([call, true]);
  expect(limits("npm install lodash*", "npm install -D \0")).toBe(true);
  expect(limits("git push origin main*", "git push origin fe\0")).toBe(false);
  expect(limits("gh pr merge*", "gh pr create --title \0")).toBe(false);
});
