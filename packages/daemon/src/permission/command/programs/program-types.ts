import type { Word } from "../words/word.ts";

/** One call of a program: the words after its name, and the source of its input. */
export type ProgramInvocation = {
  name: string;
  words: readonly Word[];
  fed: "nothing" | "text" | "file" | "pipe";
  upstream: readonly string[];
  incoming: ExtraArguments;
  /** Variables that are set only for this call, with harmless values. */
  settings?: readonly string[];
  /** True if no command before it may have changed a file. */
  isFirst?: boolean;
  /** True if another command reads its output. */
  isPiped?: boolean;
  /** The text of its input, if the gate knows it. `script`: the file in which this code really is. */
  input?: string;
  script?: ScriptFile;
};

/** A script by the name that a call has for it, and by its absolute path. Programs find modules in its folder. */
export type ScriptFile = { name: string; file: string };

/**
 * The use of a path by a command. `names`: checks what exists, not the content. `searches`: reads everything below it.
 * `mentions`: may read it, if it exists. `identifies`: proves with it who the user is, and prints and sends nothing of it. `edits`: changes
 * it, as the text of the command says, which Baton also judges. `moves`: changes it like `edits`, and its content then has another name.
 * `writes`: changes it as a side effect, through a flag or a redirect.
 */
export type PathUse = "names" | "reads" | "searches" | "mentions" | "identifies" | "edits" | "moves" | "writes";

/**
 * How a program traverses a folder. `leavesOut`: true for a file that the program skips, by its name and its path below that
 * folder. `tree`: a change reaches every file in the folder. `fills`: the program may write files of any name into it.
 * `suspected`: the gate does not know what the program does with the folder. `keeps`: the program surely changes nothing in it. `onlyFiles`: it
 * takes no folder among the matches of a pattern. `namesKeys`: a pattern names the files that it takes, and may name files with keys.
 */
export type FolderTraversal = {
  follows?: boolean;
  leavesOut?: (folder: string) => (name: string, below: string) => boolean;
  tree?: boolean;
  fills?: boolean;
  suspected?: boolean;
  keeps?: boolean;
  onlyFiles?: boolean;
  namesKeys?: boolean;
};

/** A word that names a path. `from`: the sources that a copy or a move brings there. They keep their names if the target is a folder. */
export type NamedPath = {
  word: Word;
  use: PathUse;
  search?: FolderTraversal;
  from?: readonly Word[];
  /** True if its contents come from another machine. */
  isDownload?: true;
};

/** A command that a program runs. `more`: the arguments that are appended to its words. */
export type InnerCommand = { words: readonly Word[]; more: ExtraArguments };

/** The part of a call that a grant for the whole program does not cover. A rule may name the words of `verb` (`gh pr merge`). */
export type UncoveredPart = { verb?: string; why: string };

/** The effects of a call, as far as its words show them. */
export type ProgramEffects = {
  /** True if the call certainly only reads. */
  reads: boolean;
  paths: NamedPath[];
  /** True if the call certainly does nothing but change the files among `paths`. */
  onlyEdits?: true;
  /** The reasons to ask the user. */
  doubts: string[];
  /** The part of the call that a grant for the whole program does not cover. */
  beyond?: UncoveredPart;
  /** Commands that the call runs, as words. */
  runs?: InnerCommand[];
  /** Shell text that the call runs. */
  scripts?: string[];
  /** The values of `$0`, `$1` and so on in that text. */
  args?: readonly Word[];
  /** The same call without words that no rule names: `git push` for `git -C x push`. */
  plainly?: readonly Word[];
  /** The calls that this call may amount to. If Baton asks about one of them, or denies it, it does the same here. */
  like?: readonly (readonly Word[])[];
  /** Python modules that the call loads, and JSON files that it requires. Code of the workspace must not take their place. */
  imports?: readonly string[];
  /** Code of the workspace that the call loads. If it is not there, the call runs other code. */
  project?: ProjectCode;
  /** True if the call does nothing but run `runs` and `scripts`, so Baton judges those in its place. */
  isWrapper?: true;
};

/** The files that code reads or writes. `imports`: Python modules that it loads, and JSON files that it requires. */
export type FilesOfCode = { paths: NamedPath[]; imports: string[] };

/**
 * Code that only calls functions of the project. `modules`: the names, without endings, one of which the file of each module has below a folder of
 * `searched`, or below that of the code. `names`: all names in it. `members`: those that the modules have to define. `texts`: the texts that it may give to them. `standard`: the modules of Python that it loads.
 */
export type ProjectCode = {
  language: "python" | "node";
  modules: string[][];
  searched: string[];
  names: string[];
  members: string[];
  texts: string[];
  standard: string[];
  /** Modules that need not be of the project, because the code only prints their versions. */
  packages?: readonly string[];
};

/**
 * Files whose names another command prints. `isOrdinary`: no secret file has such a name. `roots`: the files and folders that contain the
 * names. `seesHidden`: hidden files that git does not track may be among them. `admits`: whether an absolute path may be among the names that
 * are printed in a folder. `isExact`: each name stays one argument, whatever characters it contains. `isGlobbed`: the shell splits the names
 * and reads them as patterns. `isQuoted`: git prints some names in quotes. `isTracked`: git tracks each file now. `isSubset`: git lists only
 * changed files, or those with a text. `endsWithNul`: a NUL character is behind each name.
 */
export type FileListing = {
  isOrdinary: boolean;
  roots: readonly string[];
  /** The places that are patterns. One of their names may be a link. */
  globs?: readonly string[];
  admits: (file: string, cwd: string) => boolean;
  isExact?: true;
  seesHidden?: boolean;
  isGlobbed?: boolean;
  isQuoted?: boolean;
  isTracked?: boolean;
  isSubset?: boolean;
  endsWithNul?: boolean;
  /** True if no link below a root is among the names. */
  skipsLinks?: boolean;
  /** The file that contains the names. */
  source?: string;
  /** Words of `ls`. Of a folder, it prints the names of the contents, which then mean other files. */
  noFolders?: readonly string[];
};

/** Unknown arguments at the end of a call: none, numbers, numbers of processes, names of commits, file names that are no flags, or anything. */
export type ExtraArguments = "none" | "any" | "numbers" | "processes" | "commits" | FileListing;

export type ProgramClassifier = (call: ProgramInvocation) => ProgramEffects;

/** The effects of a call that certainly does nothing but read what other parts of the gate have seen, or print. */
export const HARMLESS: ProgramEffects = { reads: true, paths: [], doubts: [] };

export const doubtful = (...doubts: string[]): ProgramEffects => ({ reads: false, paths: [], doubts });
export const UNKNOWN_ARGUMENT = "an argument is known only when it runs";

/** The effects of a call that is in no table. The gate knows nothing about it, and a word with an unknown value may be a flag. */
export const unknownCall = (words: readonly Word[]): ProgramEffects =>
  doubtful(...(words.some((word) => word.kind === "open" && (!word.single || /^($|-)/.test(word.prefix))) ? [UNKNOWN_ARGUMENT] : []));
