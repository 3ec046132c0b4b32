import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { commands } from "../../program/program.ts";
import { commandTree } from "./command-tree.ts";
import { completionScript } from "./completion-scripts.ts";
import { manualPage } from "./manual-page.ts";

const tree = commandTree(commands());

/** Returns what bash suggests for the last of these words. */
function complete(...words: string[]): string[] {
  const line = `COMP_WORDS=(${words.map((word) => `'${word}'`).join(" ")}); COMP_CWORD=${words.length - 1}; _baton; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const program = `baton() { local name="NAMES_$2"; printf '%s\\tabout it\\n' "\${!name}"; }`; // replaces \`baton complete\`
  const output = execFileSync("bash", ["-c", `${program}\n${completionScript("bash", tree)}\n${line}`], {
    cwd: import.meta.dirname,
    encoding: "utf8",
  });
  return output.trim().split("\n");
}

test("bash completes commands, subcommands, options and choices", () => {
  expect(complete("baton", "da")).toEqual(["daemon"]);
  expect(complete("baton", "daemon", "st")).toEqual(["start", "stop", "status"]);
  expect(complete("baton", "run", "--ma")).toEqual(["--max-steps"]);
  expect(complete("baton", "run", "--on-request", "")).toEqual(["wait", "deny", "fail", "allow"]);
});

test("bash completes names that exist now where a command takes them", () => {
  const names = { models: "a/one", modes: "plan", sessions: "k3m9", requests: "k3m9-s1.1", servers: "files" };
  const asked = (...typed: string[]) => complete(...typed).join(" ");
  for (const [kind, name] of Object.entries(names)) process.env[`NAMES_${kind}`] = name;
  expect(asked("baton", "--mode", "")).toBe("plan");
  expect(asked("baton", "run", "--model", "a")).toBe("a/one");
  expect(asked("baton", "run", "--session", "")).toBe("k3m9");
  expect(asked("baton", "show", "k")).toBe("k3m9");
  expect(asked("baton", "answer", "")).toBe("k3m9-s1.1");
  expect(asked("baton", "modes", "show", "")).toBe("plan");
  expect(asked("baton", "mcp", "test", "")).toBe("files");
  expect(asked("baton", "show", "--j")).toBe("--json");
  for (const kind of Object.keys(names)) delete process.env[`NAMES_${kind}`];
});

test("bash completes a file where no subcommand fits", () => {
  expect(complete("baton", "import", "completion-scripts.te")).toEqual(["completion-scripts.test.ts"]);
});

test("every script and the manual page contain every command and option", () => {
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
