import type { FilesBelow, Gated } from "@baton/core/permission/judge";
import type { PathGate } from "../../path.ts";
import type { Assigned } from "./assigned-variables.ts";
import type { BraceGroup } from "./parse.ts";
import type { Listing, ExtraArguments } from "../programs/program-types.ts";
import type { Word } from "./word.ts";

/** Where commands run, as far as it matters for judging them. `workspace` and `ownRoots` are real paths. */
export type Place = {
  workspace: string;
  ownRoots: readonly string[];
  home: string;
  trusted: boolean;
  /** Follows links; made for the workspace. */
  gatePath: PathGate;
  maxParts: number;
  /** The whole text. */
  text: string;
  /** Accesses of words that may name files, so that several commands share them. */
  mentioned: Map<string, Gated[] | { doubt: string }>;
  /** Listings of folders that have been made, by the filter that they use, so that several commands share one. */
  listings: Map<(folder: string) => (name: string, below: string) => boolean, Map<string, FilesBelow>>;
};

/** What holds at one point of a script. */
export type ShellContext = {
  place: Place;
  /** The folders it may be in, as the shell names them; more than one after a `cd` that may have failed. */
  cwds: readonly string[];
  /** Variables whose value is sure: the home folder, what a loop runs through, and what is set once. */
  variables: ReadonlyMap<string, Word>;
  /** Variables of loops over names of files, with what is known of these names. */
  listed: ReadonlyMap<string, Listing>;
  /** Names that the text gives a value to anywhere. */
  assigned: Assigned;
  /** Functions that the script has defined so far. Scripts of its own, such as the text of `bash -c`, do not have them. */
  functions: Map<string, BraceGroup>;
  /** The text that comes in, where it is known. */
  input?: string | undefined;
  /** Another command reads what is printed here. */
  isPiped?: boolean;
  /** Variables that are set for the program only. */
  settings: readonly string[];
  /** What comes in: nothing, text of the command line, or what another command prints. */
  fed: "nothing" | "text" | "file" | "pipe";
  /** The programs that a pipe comes from. */
  upstream: readonly string[];
  /** What a pipe brings, read as arguments. */
  incoming: ExtraArguments;
  /** Texts of what runs this script, which rules may name as well. */
  also: readonly string[];
  /** How many scripts are around this one. */
  depth: number;
};
