import type { GateFindings } from "../gate-findings.ts";
import type { Script, Statement } from "./parse.ts";
import type { ShellContext } from "./shell-context.ts";
import type { Word } from "../words/word.ts";

/** The folders in which the shell may be after a command. */
export type Folders = readonly string[];

/** Walks through a text and collects findings. Scripts and commands contain each other, so each part gets the whole walker. */
export type Walker = {
  findings: GateFindings;
  walkScript: (script: Script, context: ShellContext) => Folders;
  walkStatements: (statements: readonly Statement[], context: ShellContext) => Folders;
  /** Walks shell text that is an argument of a command, or that it writes. Such text cannot call the functions of the script. */
  walkText: (text: string, context: ShellContext) => void;
  /** Walks text that the shell itself runs at a signal or, if it `isLast`, at its end. */
  walkTrap: (trap: { text: string; isLast: boolean }, context: ShellContext) => void;
};

/** The options for a simple command. `also` holds the texts around the command. */
export type JudgeOptions = Pick<Walker, "findings" | "walkText" | "walkTrap"> & { context: ShellContext; also: readonly string[] };

/** One program of a text. `base`: its common name. `isKnown`: it is where systems install programs. `file`: its path, if the project has it. */
export type Program = {
  name: string;
  base: string;
  words: readonly Word[];
  rest: readonly Word[];
  isKnown: boolean;
  file: string | undefined;
};

export const MAX_DEPTH = 24;
export const MAX_FOLDERS = 8;

export const union = (a: Folders, b: Folders): Folders => [...new Set([...a, ...b])];

/** Returns the folders in which a body that `break`, `continue` or `return` ends early may leave the shell. */
export const leftEarly = ({ called, visited }: GateFindings): Folders =>
  ["break", "continue", "return"].some((name) => called.has(name)) ? [...visited] : [];

/** Returns at most as many folders as the gate follows. Adds a doubt if there are more. */
export function limited(folders: Folders, findings: GateFindings): Folders {
  if (folders.length <= MAX_FOLDERS) return folders;
  findings.doubts.add("may be in too many folders");
  return folders.slice(0, MAX_FOLDERS);
}

/** Returns the context for the inside of a compound command, a function or a script. */
export const deeper = (context: ShellContext): ShellContext => ({ ...context, depth: context.depth + 1 });
