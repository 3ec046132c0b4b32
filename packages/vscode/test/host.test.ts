import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { call, openSettledHome, type Home } from "../../cli/test/support/home.ts";
import { chromiumPath, companion, Editor, extensionFolder } from "./support/editor.ts";
import { runInstalled, type As } from "./support/installed.ts";
import { builtSuite } from "./support/suite.ts";

const { VSCODE_EXECUTABLE } = process.env;

/** A home whose workspace has the files that the suite uses, and the models that work on them. */
async function prepared(): Promise<{ home: Home; env: Record<string, string> }> {
  const home = await openSettledHome();
  // A busy machine must not make Baton give up on the editor.
  home.configure({ checks: { waitMs: 30_000 } });
  writeFileSync(path.join(home.workspace, "a.txt"), "one\ntwo\nthree\n");
  writeFileSync(path.join(home.workspace, "b.txt"), "left\n");
  writeFileSync(path.join(home.workspace, "c.txt"), "saved\n");
  writeFileSync(path.join(home.workspace, "e.txt"), "old bad\n");
  writeFileSync(path.join(home.workspace, "typed.txt"), "");
  execFileSync("git", ["init", "--quiet", home.workspace]);
  writeFileSync(path.join(home.workspace, "d.txt"), Array.from({ length: 30 }, (_, i) => `line ${i + 1}\n`).join(""));
  const inLines = (old_text: string, new_text: string) => call("edit_file", { path: "d.txt", old_text, new_text });
  const env = {
    HUNKS_SCRIPT: home.script(
      { calls: [inLines("line 2\n", "two\n")] },
      { calls: [inLines("line 15\nline 16\n", ""), inLines("line 29\n", "29\nand more\n")] },
      { text: "Done." },
    ),
    EDIT_SCRIPT: home.script({ calls: [call("edit_file", { path: "a.txt", old_text: "two", new_text: "TWO" })] }, { text: "Done." }),
    OTHER_SCRIPT: home.script({ calls: [call("write_file", { path: "b.txt", content: "right\n" })] }, { text: "Done." }),
    DIAGNOSED_SCRIPT: home.script({ calls: [call("write_file", { path: "e.txt", content: "new\nold bad\nbad\n" })] }, { text: "Done." }),
    TERMINAL_SCRIPT: home.script({ calls: [call("run_command", { command: "cat > typed.txt", terminal: true })] }, { text: "It waits." }),
    UNSAVED_SCRIPT: home.script({ calls: [call("edit_file", { path: "c.txt", old_text: "mine", new_text: "ours" })] }, { text: "Done." }),
  };
  return { home, env };
}

/** A push tests the extension as it is published. The nightly run also tests it as it is built, before it is packed. */
const isNight = Boolean(process.env["BATON_EVERY_PAIR"]);

test.skipIf(chromiumPath === undefined)("the extension works inside a real extension host", { timeout: 480_000 }, async () => {
  await using editor = await Editor.start({ env: { PATH: process.env["PATH"] ?? "" }, driven: true, settings: { "git.enabled": true } });
  const suite = await builtSuite(editor.folder);
  for (const extension of [companion(editor.folder), ...(isNight ? [extensionFolder] : [])]) {
    const { home, env } = await prepared();
    await using _ = home;
    const began = performance.now();
    const { code, lines } = await editor.run(suite, home.workspace, { extension, env: { ...home.env, ...env } });
    console.log([...lines, `all of it took ${Math.round(performance.now() - began)} ms`].join("\n"));
    expect({ code, failed: lines.filter((line) => line.startsWith("FAILED")) }).toEqual({ code: 0, failed: [] });
  }
});

test.runIf(VSCODE_EXECUTABLE).each<As>(["built", "packed"])(
  "the extension works inside an installed editor, as %s",
  { timeout: 360_000 },
  async (as) => {
    const { home, env } = await prepared();
    await using _ = home;
    expect(await runInstalled(VSCODE_EXECUTABLE ?? "", as, home.workspace, { ...home.env, ...env })).toBe(0);
  },
);
