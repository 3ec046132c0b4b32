import { statSync } from "node:fs";
import { isUntouched, type GateFindings } from "../gate-findings.ts";
import type { ShellContext } from "../shell/shell-context.ts";
import { mayHaveChanged } from "./created-files.ts";
import { attempt, readText } from "./path-on-disk.ts";
import { resolvePath } from "./physical-path.ts";

/** The limit for a file with names, in bytes. */
const MAX_LIST = 8_000;

/** Returns the lines of a file by its name, and its path. Undefined if a command before may have changed it. */
export type ListFile = (name: string) => { file: string; lines: string[] } | undefined;

/** Names that the shell expands. */
const PATTERN = /[*?[\]{}~\\]/;

/** Returns how to read files with names at one point of a script. */
export const listFileAt =
  ({ cwds, isRepeated }: ShellContext, findings: GateFindings): ListFile =>
  (name) => {
    const [cwd, ...others] = cwds;
    const file =
      cwd === undefined || others.length > 0 || isRepeated === true || !isUntouched(findings) ? undefined : resolvePath(cwd, name);
    const found = file !== undefined && !PATTERN.test(name) && !mayHaveChanged(file, findings) ? attempt(() => statSync(file)) : undefined;
    const isShort = file !== undefined && found !== undefined && found.nlink === 1 && found.size <= MAX_LIST;
    const text = isShort ? readText(file) : undefined;
    return file === undefined || text === undefined ? undefined : { file, lines: text.split("\n").filter((line) => line !== "") };
  };
