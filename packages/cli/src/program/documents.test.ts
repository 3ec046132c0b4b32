import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import type { Command } from "commander";
import { expect, test } from "vitest";
import { examples } from "./examples.ts";
import { commands } from "./program.ts";

const root = path.resolve(import.meta.dirname, "../../../..");

/** Command lines of Baton in the documents: lines of code blocks, and text in backticks that names an option or an argument. */
function linesIn(text: string): string[] {
  const fenced = Array.from(text.matchAll(/^```(\w*)\n([^]*?)^```/gm), ([, language = "", block = ""]) => ({ language, block }));
  const blocks = fenced.filter(({ language }) => language === "" || language === "sh").flatMap(({ block }) => block.split("\n"));
  const quoted = Array.from(text.matchAll(/`(baton [a-z][^`\n]*)`/g), ([, line = ""]) => line);
  return [...blocks, ...quoted]
    .map((line) => /^(?:npm start -- |baton )(.*)$/.exec(line.trim())?.[1] ?? "")
    .map((line) => line.replace(/\s+#.*$/, "").trim())
    .filter((line) => line !== "" && !line.includes("|") && !line.includes("…"));
}

const lines = globSync(["*.md", "docs/**/*.md"], { cwd: root }).flatMap((page) =>
  linesIn(readFileSync(path.join(root, page), "utf8")).map((line) => [page.replaceAll(path.sep, "/"), line] as const),
);

/** The command that a line calls, and the problem with its words, if any. */
function problemOf(line: string): string | undefined {
  const words: string[] = line.match(/"[^"]*"|'[^']*'|\S+/g) ?? [];
  let command: Command = commands();
  while (words[0] !== undefined && command.commands.length > 0) {
    const next = command.commands.find((each) => each.name() === words[0]);
    if (!next) break;
    command = next;
    words.shift();
  }
  if (words[0]?.startsWith("-")) command = command.commands.find((each) => each.name() === "list") ?? command; // it is the default
  if (command.commands.length > 0 && words[0] !== undefined && /^[a-z][a-z-]*$/.test(words[0]))
    return `there is no command ${command.name()} ${words[0]}`;
  const before = words.includes("--") ? words.slice(0, words.indexOf("--")) : words;
  const unknown = before
    .filter((word) => word.startsWith("-"))
    .map((word) => word.replace(/[=,].*$/, ""))
    .filter((flag) => flag !== "--help" && flag !== "-h" && !command.options.some(({ long, short }) => flag === long || flag === short));
  return unknown.length > 0 ? `${command.name()} has no option ${unknown.join(" ")}` : undefined;
}

test("the documents contain command lines", () => {
  expect(lines.length).toBeGreaterThan(50);
});

test("command lines in the documents name commands and options that exist", () => {
  expect(lines.flatMap(([page, line]) => (problemOf(line) === undefined ? [] : [`${page}: baton ${line}: ${problemOf(line)}`]))).toEqual(
    [],
  );
});

const allCommands = (command: Command, path: string): [string, Command][] => [
  [path, command],
  ...command.commands.flatMap((child) => allCommands(child, `${path} ${child.name()}`)),
];

test("every command and every option has a description", () => {
  const missing = allCommands(commands(), "baton").flatMap(([path, command]) => [
    ...(command.description() === "" ? [path] : []),
    ...command.options.filter(({ description }) => description === "").map(({ flags }) => `${path} ${flags}`),
  ]);
  expect(missing).toEqual([]);
});

test("examples belong to commands that exist, and use options that they have", () => {
  const paths = allCommands(commands(), "baton").map(([path]) => path);
  expect(Object.keys(examples).filter((path) => !paths.includes(path))).toEqual([]);
  const lines = Object.values(examples).flat();
  const problems = lines.flatMap(({ line }) => {
    const found = /\bbaton(?: (.*))?$/.exec(line)?.[1]?.replace(/ > .*$/, "");
    const problem = found === undefined || /^(~|-)/.test(found) ? undefined : problemOf(found);
    return problem === undefined ? [] : [`${line}: ${problem}`];
  });
  expect(problems).toEqual([]);
});
