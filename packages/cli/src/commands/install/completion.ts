import type { Command } from "commander";
import { VERSION } from "../../program/version.ts";
import { commandTree } from "./command-tree.ts";
import { completionScript, type CompletionShell } from "./completion-scripts.ts";
import { manualPage } from "./manual-page.ts";

/** Prints the completion script of a shell, or the manual page. */
export function printCompletion(kind: CompletionShell | "man", baton: Command): void {
  const tree = commandTree(baton);
  process.stdout.write(kind === "man" ? manualPage(VERSION, tree) : completionScript(kind, tree));
}
