import type { GateFindings } from "../gate-findings.ts";
import type { Script, Statement } from "./parse.ts";
import type { ShellContext } from "./shell-context.ts";

/** The folders in which a command may leave the shell. */
export type Folders = readonly string[];

/** Walks through a text and keeps what it finds. Commands hold scripts, and scripts hold commands, so each part of the walk gets the whole. */
export type Walker = {
  findings: GateFindings;
  walkScript: (script: Script, context: ShellContext) => Folders;
  walkStatements: (statements: readonly Statement[], context: ShellContext) => Folders;
  /** Walks through shell text that is an argument of a command. */
  walkText: (text: string, context: ShellContext) => void;
};

export const MAX_DEPTH = 24;
export const MAX_FOLDERS = 8;

export const union = (a: Folders, b: Folders): Folders => [...new Set([...a, ...b])];

/** The context inside of a compound command. */
export function deeper(context: ShellContext, { findings }: Walker): ShellContext {
  if (context.depth > MAX_DEPTH) findings.doubts.add("is nested too deep to be judged");
  return context.depth > MAX_DEPTH ? context : { ...context, depth: context.depth + 1 };
}
