import type { FilesBelow, GatedAccess } from "@baton/core/permission/judge";
import type { PathGate, PathRefusal } from "../../path.ts";
import type { Assigned } from "../words/assigned-variables.ts";
import type { BraceGroup } from "./parse.ts";
import type { FileListing, ExtraArguments, ScriptFile } from "../programs/program-types.ts";
import type { Word } from "../words/word.ts";

/** The context of a command text. `workspace` and `ownRoots` are real paths. `ownRoots` are the daemon's own folders, closed to every tool. */
export type CommandContext = {
  workspace: string;
  ownRoots: readonly string[];
  home: string;
  /** True if the user allows the contents of the workspace to act. Otherwise the gate gives no access in advance. */
  trusted: boolean;
  /** The limit for simple commands in one text. Above it, the gate asks the user. */
  maxParts?: number;
  /** Programs of the project that commands find by their names, with their paths. */
  programs?: ReadonlyMap<string, string>;
};

/** The same facts, and what all commands of one text share. */
export type ShellWorkspace = Required<CommandContext> & {
  /** Follows symlinks. It is created for the workspace. */
  gatePath: PathGate;
  /** The whole text. */
  text: string;
  /** Files and folders that the text creates or changes. The findings collect them. */
  made: ReadonlySet<string>;
  /**
   * How commands take names that another command or a pattern lists: `plain` or `globbed`. The text itself may make files with names of any
   * form. The paths among these must stay files, because a listing of a folder would have other names.
   */
  usesLists: Set<string>;
  /** How often the text copies something, and how many files. */
  copies: { count: number; files: number };
  /** How many entries the lists of folders have, in all of the text. */
  listed: { entries: number };
  /** Accesses of words that may name files. Several commands share them. */
  mentioned: Map<string, GatedAccess[] | { doubt: string }>;
  /** The accesses of each path, or the reason why it cannot be followed. */
  gated: Map<string, GatedAccess[] | PathRefusal>;
  /** The real paths of folders. */
  realFolders: Map<string, string>;
  /** Listings of folders, by the filter they use. Several commands share them. */
  listings: Map<(folder: string) => (name: string, below: string) => boolean, Map<string, FilesBelow>>;
};

/** The knowledge at one point of a script. */
export type ShellContext = {
  place: ShellWorkspace;
  /** The possible working directories, as the shell names them. There are several after a `cd` that may have failed. */
  cwds: readonly string[];
  /** Variables whose value is certain: the home folder, loop variables, and variables that are set once. */
  variables: ReadonlyMap<string, Word>;
  /** Loop variables that hold file names, with what is known of these names. */
  listed: ReadonlyMap<string, FileListing>;
  /** Names that the text assigns anywhere. */
  assigned: Assigned;
  /** Functions that the script has defined so far. They are not available in separate scripts such as the text of `bash -c`. */
  functions: Map<string, BraceGroup>;
  /** The text on standard input, if it is known. */
  input?: string | undefined;
  /** The script that the text writes, if its code is judged as input. */
  script?: ScriptFile | undefined;
  /** The text of a here-string, for denies. Code in it is not read. */
  hereString?: string | undefined;
  /** True if the text shows the contents of the files that the command makes, or if the program decides on its own what it does. */
  isShown?: boolean;
  /** True while an edit in place is judged. */
  isEdit?: boolean;
  /** The calls around the command whose files the text has written. */
  running?: readonly string[];
  /** The names of the files to which redirects write the output. `any`: those are not known. */
  printsTo?: readonly string[] | "any" | undefined;
  /** True if a redirect of the command leads its output away from the terminal. */
  isRedirected?: boolean;
  /** True if another command reads the output. */
  isPiped?: boolean;
  /** True in a loop, in which commands that come later run before it. */
  isRepeated?: boolean;
  /** True in the body of a function. */
  isInFunction?: boolean;
  /** True if the output becomes a part of a word. */
  isInWord?: true;
  /** Variables that are set only for this program. */
  settings: readonly string[];
  /** The source of standard input: nothing, text of the command line, a file, or the output of another command. */
  fed: "nothing" | "text" | "file" | "pipe";
  /** The programs before the pipe. */
  upstream: readonly string[];
  /** The output of the pipe when it is read as arguments. */
  incoming: ExtraArguments;
  /** Texts of the commands that run this script. Rules may name them as well. */
  also: readonly string[];
  /** How many scripts enclose this one. */
  depth: number;
};

/** The folders in which a command may work. */
export type Places = Pick<ShellContext, "cwds" | "place">;
