import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { commandLines, isInteractive } from "./documents/command-lines.ts";
import { openPreparedHomes, type PreparedHome, type PreparedHomes } from "./documents/prepared-home.ts";
import { KEY } from "./support/terminal.ts";

/** Lines that the test does not run, each with its reason. */
const NOT_RUN: readonly (readonly [line: RegExp, reason: string])[] = [
  [/^(npm|git|ln|cd) /, "installs, builds or changes folders; test/installed.test.ts installs the package"],
  [/^baton (update|service)/, "changes this machine; test/installed.test.ts updates an installed package"],
  [/^baton uninstall/, "asks in a terminal; test/command/daemon-state.test.ts runs it"],
  [/^baton --model ollama/, "needs a model server"],
  [/^baton models refresh https/, "needs the network; catalog tests read files and a local server"],
  [/^baton background attach/, "needs a command in a terminal; test/command/background.test.ts attaches to one"],
  [/^baton places revert/, "needs applied changes; test/command/places.test.ts runs it"],
  [/^baton run .* --versions/, "needs keys; test/command/places.test.ts runs three versions"],
  [/^baton plugins add (https|npm|\S+@github)/, "needs the network; daemon/test/plugins.test.ts fetches with git and npm"],
];

const notRun = (line: string): boolean => NOT_RUN.some(([pattern]) => pattern.test(line));
const all = commandLines();
const pages = Map.groupBy(
  all.filter(({ line }) => !notRun(line)),
  ({ page }) => page,
);

test("most command lines of the documents run, and every exception is needed", () => {
  expect(all.length).toBeGreaterThan(80);
  expect(all.filter(({ line }) => notRun(line)).length).toBeLessThan(all.length / 4);
  expect(NOT_RUN.filter(([pattern]) => !all.some(({ line }) => pattern.test(line)))).toEqual([]);
});

/** Pages whose lines are alternatives. Each line gets a home of its own, in which only the line that it needs ran before. */
const ALTERNATIVES: Readonly<Record<string, (line: string) => string[]>> = {
  "docs/guides/undo.md": (line) => (line.startsWith("baton redo") ? ["baton undo SESSION"] : []),
};

let homes: PreparedHomes;
beforeAll(async () => (homes = await openPreparedHomes()), 60_000);
afterAll(() => homes.close());

/** Lines that run one after the other in one home. */
type Sequence = [page: string, lines: string[]];
const sequences = [...pages].flatMap(([page, lines]): Sequence[] => {
  const before = ALTERNATIVES[page];
  const texts = lines.map(({ line }) => line);
  return before ? texts.map((line) => [page, [...before(line), line]]) : [[page, texts]];
});

test.for(sequences)("%s: %j", { timeout: 120_000 }, async ([page, lines]) => {
  const prepared = homes.restore(page);
  const problems: string[] = [];
  for (const group of groupsOf(lines))
    problems.push(...(await (isInteractive(group[0] ?? "") ? openInTerminal : runInShell)(group, prepared)));
  await prepared.home.run(["daemon", "stop"]);
  expect(problems).toEqual([]);
});

/**
 * Each interactive line is a group of its own. The lines between them form one group, because the numbers of an inbox belong to one shell.
 */
function groupsOf(lines: readonly string[]): string[][] {
  const groups: string[][] = [];
  for (const line of lines) {
    const last = groups.at(-1);
    if (last && !isInteractive(line) && !isInteractive(last[0] ?? "")) last.push(line);
    else groups.push([line]);
  }
  return groups;
}

const withPlaceholders = (line: string, { placeholders }: PreparedHome): string =>
  line.replaceAll(/\b(SESSION|k3m9|ID|FILE)\b/g, (name) => placeholders[name] ?? name);

/** Opens the terminal client, and leaves it when it is ready for a prompt or shows the session. */
async function openInTerminal([line = ""]: readonly string[], prepared: PreparedHome): Promise<string[]> {
  const words = Array.from(withPlaceholders(line, prepared).matchAll(/"([^"]*)"|(\S+)/g), ([, quoted, bare]) => quoted ?? bare ?? "");
  const terminal = prepared.home.terminal(words.slice(1), 100);
  try {
    await terminal.until(/^›/m);
    terminal.press(KEY.ctrlC);
    await terminal.until("Ctrl+C again leaves");
    terminal.press(KEY.ctrlC);
    const code = await terminal.exited;
    return code === 0 ? [] : [`${line}\nexit code ${code}\n${terminal.text()}`];
  } catch (error) {
    return [`${line}\n${String(error)}`];
  }
}

/** Runs lines in one shell, as a reader would paste them. Types a key for `baton auth login`. */
async function runInShell(lines: readonly string[], prepared: PreparedHome): Promise<string[]> {
  const { workspace, env } = prepared.home;
  const folder = mkdtempSync(path.join(workspace, "..", "lines-"));
  const key = path.join(folder, "key");
  writeFileSync(key, "sk-test\n");
  const script = lines.map((line, i) => {
    const input = line.startsWith("baton auth login") ? key : "/dev/null";
    return `{ ${withPlaceholders(line, prepared)}\n} < ${input} > ${folder}/out-${i} 2> ${folder}/err-${i}\necho $? > ${folder}/code-${i}`;
  });
  const child = spawn("/bin/sh", ["-c", script.join("\n")], { cwd: workspace, env, stdio: "ignore" });
  await new Promise((done) => child.on("close", done));
  return lines.flatMap((line, i) => {
    const read = (name: string) => readFileSync(path.join(folder, `${name}-${i}`), "utf8");
    return read("code").trim() === "0" ? [] : [`${line}\nexit code ${read("code")}${read("err")}${read("out")}`.slice(0, 1_000)];
  });
}
