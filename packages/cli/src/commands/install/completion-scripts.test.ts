import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { commands } from "../../program/program.ts";
import { commandTree } from "./command-tree.ts";
import { completionScript } from "./completion-scripts.ts";
import { manualPage } from "./manual-page.ts";

const tree = commandTree(commands());

/** The completions that bash offers for the last of these words. */
function complete(...words: string[]): string[] {
  const line = `COMP_WORDS=(${words.map((word) => `'${word}'`).join(" ")}); COMP_CWORD=${words.length - 1}; _baton; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const output = execFileSync("bash", ["-c", `${completionScript("bash", tree)}\n${line}`], { cwd: import.meta.dirname, encoding: "utf8" });
  return output.trim().split("\n");
}

test("bash completes commands, subcommands, options and choices", () => {
  expect(complete("baton", "da")).toEqual(["daemon"]);
  expect(complete("baton", "daemon", "st")).toEqual(["start", "stop", "status"]);
  expect(complete("baton", "run", "--ma")).toEqual(["--max-steps"]);
  expect(complete("baton", "run", "--on-request", "")).toEqual(["wait", "deny", "fail", "allow"]);
});

test("bash completes a file where no subcommand fits", () => {
  expect(complete("baton", "import", "completion-scripts.te")).toEqual(["completion-scripts.test.ts"]);
});

test("every command and option is in every script and in the manual page", () => {
  const texts = [
    ...(["bash", "zsh", "fish"] as const).map((shell) => completionScript(shell, tree)),
    manualPage("1", tree).replaceAll("\\-", "-"),
  ];
  for (const { options, subcommands } of tree)
    for (const text of texts) {
      for (const { name } of subcommands) expect(text).toContain(name);
      for (const long of options.flatMap(({ names }) => names.filter((name) => name.startsWith("--"))))
        expect(text).toContain(text.startsWith("# fish") ? `-l ${long.slice(2)}` : long);
    }
});
