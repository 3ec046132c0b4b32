import { commands } from "../../program/program.ts";
import { VERSION } from "../../program/version.ts";
import { commandTree } from "./command-tree.ts";
import { completionScript, type CompletionShell } from "./completion-scripts.ts";
import { manualPage } from "./manual-page.ts";

/** Prints the completion script of a shell, or the manual page. */
export function printCompletion(kind: CompletionShell | "man"): void {
  const tree = commandTree(commands());
  process.stdout.write(kind === "man" ? manualPage(VERSION, tree) : completionScript(kind, tree));
}
