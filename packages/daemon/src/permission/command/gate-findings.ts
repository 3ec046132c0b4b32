import path from "node:path";
import type { GatedAccess } from "@baton/core/permission/judge";
import { foldersFrom } from "./files/path-on-disk.ts";
import type { WrittenText } from "./programs/printed-text.ts";
import type { BraceGroup } from "./shell/parse.ts";

/** The findings of the gate for one command text. */
export type GateFindings = ReturnType<typeof noFindings>;

/** True if no command so far may have changed a file. */
export const isUntouched = ({ made, accesses }: GateFindings): boolean =>
  made.size === 0 && accesses.every(({ action, reads }) => action !== "command" || reads);

export const noFindings = () => ({
  /** Every simple command and every path, each as a separate access. */
  accesses: [] as GatedAccess[],
  /** Reasons why the user has to see the whole text, in words. */
  doubts: new Set<string>(),
  /** Reasons why the gate refuses the text, whatever the user has allowed. */
  refusals: new Set<string>(),
  /** The names of the programs so far. Quotes in them make no difference. */
  called: new Set<string>(),
  /** The number of simple commands so far. */
  parts: 0,
  /** The same number, with each iteration of a loop counted. */
  walked: 0,
  /** True if some word is known only when it runs. Then the text alone does not show what happens. */
  isOpen: false,
  /** Links that the text creates, by absolute path. They do not exist yet, so their targets are unknown. */
  links: new Set<string>(),
  /** Files and folders that the text creates or changes, by absolute path. `filled`: folders that it fills with files of unknown names. */
  made: new Set<string>(),
  filled: new Set<string>(),
  /** Texts that commands print or get as here-documents, in their order. They may be the contents of files. */
  written: [] as WrittenText[],
  /** Files among `made` with contents that the text does not show. */
  computed: new Set<string>(),
  /** Files that `sed` or `perl` edits in place. */
  edited: new Set<string>(),
  /** Files among `made` that the text runs. */
  ran: new Set<string>(),
  /** The files from which files among `made` are copied or moved. */
  origins: new Map<string, string>(),
  /** Files and folders that the text moves, by absolute path. */
  moved: new Set<string>(),
  /** Downloaded files, by absolute path. */
  downloaded: new Set<string>(),
  /** True if the text brings in files that the user has not reviewed, such as another commit or an archive. They may include links. */
  brings: false,
  /** Deferred checks of background commands, which run beside the rest of the text. */
  later: [] as (() => void)[],
  /** Checks of texts that the shell runs at a signal or at its end, by what decides about them. It may then be in any of these folders. */
  traps: new Map<string, (cwds: readonly string[]) => void>(),
  /** How the text puts new files where git prints them: `plain` ones, and those that git `ignores`. */
  staged: new Set<"plain" | "ignored">(),
  /** Files that the text puts there by their names, by absolute path. */
  stagedFiles: new Set<string>(),
  /** Functions that the text defines and has not called so far. */
  uncalled: new Set<BraceGroup>(),
  /** Arguments of `shopt`. With `nullglob` a pattern may vanish. With `globstar` it may match names in other folders. */
  options: new Set<string>(),
  /** Folders that the text has entered. */
  entered: new Set<string>(),
  /** Folders that the text has left. `cd -` and `popd` may return to them. */
  visited: new Set<string>(),
});

/**
 * Returns a text that differs when a part of a text has left anything that another part, or the next round of a loop, may find. `isLater`: in a later
 * round, files below those of the text do not count. The gate takes the target of a copy for a folder as well, so each round would find more of them.
 */
export function tracesOf(findings: GateFindings, isLater = false): string {
  const { links, made, filled, written, computed, edited, origins, moved, downloaded, brings, staged, stagedFiles, options } = findings;
  const isOwn = (file: string) => !foldersFrom(path.dirname(file)).some((folder) => computed.has(folder));
  const counted = (files: ReadonlySet<string>) => (isLater ? [...files].filter(isOwn).length : files.size);
  const sets = [links, filled, edited, moved, downloaded, staged, stagedFiles, options].map(({ size }) => size);
  const texts = new Set(written.map(({ text, files = [] }) => [text, ...files].join("\n")));
  return [brings, texts.size, counted(made), counted(computed), ...sets, ...[...origins].flat()].join("\n");
}

/** The limit for rounds. With each round, the content of a file may get one file further. */
const MAX_ROUNDS = 4;

/** Walks a part of a text that repeats, and again as long as it leaves something new to the next round, as `look` sees it. */
export function repeat(findings: GateFindings, walk: () => void, look: typeof tracesOf = tracesOf): void {
  const atStart = look(findings);
  walk();
  const { parts } = findings;
  for (let round = 2, before = atStart; before !== look(findings, round > 2); round++) {
    before = look(findings, true);
    if (round > MAX_ROUNDS) {
      findings.doubts.add("repeats commands with other files each time");
      break;
    }
    walk();
  }
  findings.parts = parts;
}
