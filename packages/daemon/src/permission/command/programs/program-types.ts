import type { Word } from "../shell/word.ts";

/** One call of a program: its words after the name, and how its input is fed. */
export type Call = {
  name: string;
  words: readonly Word[];
  fed: "nothing" | "text" | "file" | "pipe";
  upstream: readonly string[];
  incoming: ExtraArguments;
  /** Variables that are set for it only, with a value that does no harm. */
  settings?: readonly string[];
  /** Another command reads its output. */
  isPiped?: boolean;
  /** The text that comes in as input, where the gate knows it. */
  input?: string;
};

/**
 * What a command does with a path. `names`: looks at what there is, not at what is in it. `searches`: reads all that lies below it. `mentions`:
 * may read it, if it is there at all. `edits`: changes it, as the
 * command itself says, which is judged as well. `moves`: the same, and what is in it is then under another name. `writes`: changes it on the side, by a flag or a redirect.
 */
export type PathUse = "names" | "reads" | "searches" | "mentions" | "edits" | "moves" | "writes";

/**
 * How a folder is gone through. `leavesOut`: whether a file is not looked into, by its name and by its path below that
 * folder. `tree`: a change reaches every file in the folder. `fills`: the program may write files of any name into it.
 * `suspected`: nobody knows what the program does with it.
 */
export type Search = {
  follows?: boolean;
  leavesOut?: (folder: string) => (name: string, below: string) => boolean;
  tree?: boolean;
  fills?: boolean;
  suspected?: boolean;
};

/** A word that names a path. `from`: what a copy or a move brings there, under names of its own where it is a folder. */
export type NamedPath = { word: Word; use: PathUse; search?: Search; from?: readonly Word[] };

/** A command that a program runs. `more`: the arguments that come in behind its words. */
export type Run = { words: readonly Word[]; more: ExtraArguments };

/** What a grant for the whole program does not cover. `verb`: the words that a rule may name to cover it, such as `gh pr merge`. */
export type Beyond = { verb?: string; why: string };

/** What a call does, as far as its words say. */
export type ProgramEffects = {
  /** It is sure that it only reads. */
  reads: boolean;
  paths: NamedPath[];
  /** It is sure that it does nothing but change the files among `paths`. */
  onlyEdits?: true;
  /** Why a person has to see it. */
  doubts: string[];
  /** What a grant for the whole program does not cover. */
  beyond?: Beyond;
  refusal?: string;
  /** Commands that it runs, as words. */
  runs?: Run[];
  /** Shell text that it runs. */
  scripts?: string[];
  /** What is in `$0`, `$1` and so on of that text. */
  args?: readonly Word[];
  /** The same call without what no rule means: `git push` for `git -C x push`. */
  plainly?: readonly Word[];
  /** What it calls a program as, one of these: what would be asked of it there is asked here, and what is denied there is denied. */
  like?: readonly (readonly Word[])[];
  /** Modules of Python that it loads, and files of JSON that it requires: code of the workspace must not take their place. */
  imports?: readonly string[];
  /** It does nothing but run these, so they are judged in its place. */
  isWrapper?: true;
};

/**
 * Files whose names another command prints. `isOrdinary`: no file of secrets has such a name. `roots`: the files and folders
 * that the names lie in. `admits`: whether an absolute path may be among the names that are printed in a folder. `isExact`: each name
 * stays one argument, with whatever signs are in it.
 */
export type Listing = { isOrdinary: boolean; roots: readonly string[]; admits: (file: string, cwd: string) => boolean; isExact?: true };

/** Whether arguments come in that nobody has seen: none, numbers, names of files (none of which is a flag), or anything. */
export type ExtraArguments = "none" | "any" | "numbers" | Listing;

export type Program = (call: Call) => ProgramEffects;

export const doubtful = (doubt: string): ProgramEffects => ({ reads: false, paths: [], doubts: [doubt] });
export const OPEN = "an argument is known only when it runs";
