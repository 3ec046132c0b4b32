import type { Gated } from "@baton/core/permission/judge";

/** What the gate came upon while it walked through a command. */
export type GateFindings = {
  /** Every simple command and every path, each as an access of its own. */
  accesses: Gated[];
  /** Why a person has to see the whole text, in words. */
  doubts: Set<string>;
  /** Why it is refused whatever a person says. */
  refusals: Set<string>;
  /** Simple commands so far. */
  parts: number;
  /** The same, with each round of a loop counted. */
  walked: number;
  /** Some word of it is known only when it runs, so the text alone does not say what happens. */
  isOpen: boolean;
  /** Links that the text itself makes, by absolute paths: they are not there yet, so nobody can say where they will lead. */
  links: Set<string>;
  /** Files and folders that the text makes or changes, by absolute paths, and folders that it fills with files of unknown names. */
  made: Set<string>;
  filled: Set<string>;
  /** Files that come from the network, by absolute paths. */
  downloaded: Set<string>;
  /** It brings files that nobody has seen, such as another commit or an archive. Links may be among them. */
  brings: boolean;
  /** Judges what may run at any later time: traps, and commands in the background. The folders are all that the text comes to. */
  later: ((cwds: readonly string[]) => void)[];
  /** Scratch files that the text writes, by their names, with the accesses for them. */
  scratch: Map<string, Gated[]>;
  /** Words of `shopt`: with `nullglob` a pattern may vanish, and with `globstar` it may match names in other folders. */
  options: Set<string>;
  /** Folders that the text has left, where `cd -` and `popd` may lead back to. */
  visited: Set<string>;
};

export const noFindings = (): GateFindings => ({
  accesses: [],
  doubts: new Set(),
  refusals: new Set(),
  parts: 0,
  walked: 0,
  isOpen: false,
  links: new Set(),
  made: new Set(),
  filled: new Set(),
  downloaded: new Set(),
  brings: false,
  later: [],
  scratch: new Map(),
  options: new Set(),
  visited: new Set(),
});
