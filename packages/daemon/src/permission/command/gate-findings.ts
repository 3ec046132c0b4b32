import type { GatedAccess } from "@baton/core/permission/judge";
import type { BraceGroup } from "./shell/parse.ts";

/** The findings of the gate for one command text. */
export type GateFindings = {
  /** Every simple command and every path, each as a separate access. */
  accesses: GatedAccess[];
  /** Reasons why the user has to see the whole text, in words. */
  doubts: Set<string>;
  /** Reasons why the gate refuses the text, whatever the user has allowed. */
  refusals: Set<string>;
  /** The number of simple commands so far. */
  parts: number;
  /** The same number, with each iteration of a loop counted. */
  walked: number;
  /** True if some word is known only when it runs. Then the text alone does not show what happens. */
  isOpen: boolean;
  /** Links that the text creates, by absolute path. They do not exist yet, so their targets are unknown. */
  links: Set<string>;
  /** Files and folders that the text creates or changes, by absolute path. `filled`: folders that it fills with files of unknown names. */
  made: Set<string>;
  filled: Set<string>;
  /** Downloaded files, by absolute path. */
  downloaded: Set<string>;
  /** True if the text brings in files that the user has not reviewed, such as another commit or an archive. They may include links. */
  brings: boolean;
  /** Deferred checks of commands that may run at any time: traps and background commands. They get all folders of the text. */
  later: ((cwds: readonly string[]) => void)[];
  /** Scratch files that the text writes, by name, with their accesses. */
  scratch: Map<string, GatedAccess[]>;
  /** Functions that the text defines and has not called so far. */
  uncalled: Set<BraceGroup>;
  /** Arguments of `shopt`. With `nullglob` a pattern may vanish. With `globstar` it may match names in other folders. */
  options: Set<string>;
  /** Folders that the text has left. `cd -` and `popd` may return to them. */
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
  uncalled: new Set(),
  options: new Set(),
  visited: new Set(),
});
