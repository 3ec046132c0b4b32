import path from "node:path";
import { systemFault, type SystemFault } from "../system-fault.ts";
import type { Resolve } from "./files.ts";
import { compileGlob, type Glob } from "./glob.ts";
import { runRipgrep } from "./ripgrep.ts";

export type Match = { path: string; line: number; text: string };

/** `capped`: there is more than was looked at. `leftOut`: files that may not be read. */
export type Matches = { matches: Match[]; capped: boolean; leftOut: number };
export type FileNames = { files: string[]; capped: boolean; leftOut: number };

/** Looks through the files of one workspace, or of one call. What ignore files name is left out, links are not followed. */
export type Search = {
  text(query: { pattern: string; path?: string; glob?: string }, signal: AbortSignal): Promise<Matches | SystemFault>;
  files(query: { path?: string; glob?: string }, signal: AbortSignal): Promise<FileNames | SystemFault>;
};

export type SearchOptions = {
  /** Real path. */
  workspace: string;
  resolve: Resolve;
  /** Whether a file found on the way may be shown; gets its path as rules know it. The folder alone was judged. */
  mayRead: (relative: string) => boolean;
  timeLimitMs?: number;
};

const MAX_MATCHES = 5_000;
const MAX_FILES = 50_000;
const COMMON = ["--no-config", "--color=never", "--null", "--hidden", "--no-require-git", "--glob=!.git", "--no-messages"];
const BY_LINE = ["--no-heading", "--with-filename", "--line-number", "--max-columns=500", "--max-columns-preview"];

/** Binds the search to a path gate. Results are sorted by path and line. */
export function openSearch({ workspace, resolve, mayRead, timeLimitMs = 20_000 }: SearchOptions): Search {
  const prepare = (named = ".", globText?: string) => {
    const place = resolve(named, "read");
    if ("refused" in place) return systemFault("refused", place.refused);
    const glob = globText === undefined ? everything : compileGlob(globText);
    if (typeof glob !== "function") return glob;
    return { start: place.real, sieve: sieveOf(workspace, place.real, glob, mayRead), narrowing: typeFilter(globText) };
  };

  return {
    async text({ pattern, path: named, glob }, signal) {
      const prepared = prepare(named, glob);
      if ("fault" in prepared) return prepared;
      const { start, sieve, narrowing } = prepared;
      const matches: Match[] = [];
      const onLine = (line: string): boolean => {
        const match = matchOf(line);
        const shown = match && sieve.take(match.path);
        if (match && shown !== undefined) matches.push({ ...match, path: shown });
        return matches.length < MAX_MATCHES;
      };
      const args = [...COMMON, ...narrowing, ...BY_LINE, `--regexp=${pattern}`, "--", start];
      const ended = await runRipgrep(args, { cwd: workspace, separator: "\n", onLine, signal, timeLimitMs });
      return "fault" in ended ? ended : { matches: matches.toSorted(byPlace), capped: ended.cut, leftOut: sieve.leftOut() };
    },

    async files({ path: named, glob }, signal) {
      const prepared = prepare(named, glob);
      if ("fault" in prepared) return prepared;
      const { start, sieve, narrowing } = prepared;
      const files: string[] = [];
      const onLine = (found: string): boolean => {
        const shown = sieve.take(found);
        if (shown !== undefined) files.push(shown);
        return files.length < MAX_FILES;
      };
      const args = [...COMMON, ...narrowing, "--files", "--", start];
      const ended = await runRipgrep(args, { cwd: workspace, separator: "\0", onLine, signal, timeLimitMs });
      return "fault" in ended ? ended : { files: files.toSorted(), capped: ended.cut, leftOut: sieve.leftOut() };
    },
  };
}

const everything: Glob = () => true;

/** Lets through what the glob wants and what may be read, by the name under which it is shown; each file is judged once. */
function sieveOf(workspace: string, start: string, glob: Glob, mayRead: (relative: string) => boolean) {
  const known = new Map<string, string | undefined>();
  let leftOut = 0;
  const judge = (found: string): string | undefined => {
    if (!glob(posix(path.relative(start, found)) || path.basename(found))) return undefined;
    const shown = shownAs(workspace, found);
    if (mayRead(shown)) return shown;
    leftOut++;
    return undefined;
  };
  const take = (found: string): string | undefined => {
    if (!known.has(found)) known.set(found, judge(found));
    return known.get(found);
  };
  return { take, leftOut: () => leftOut };
}

/**
 * Lets ripgrep skip files whose name cannot match. Its own `--glob` would bring ignored files back, so it only gets the
 * last part of simple globs, as a file type.
 */
function typeFilter(glob: string | undefined): string[] {
  const name = glob?.slice(glob.lastIndexOf("/") + 1) ?? "";
  return /^[\w.*?-]+$/.test(name) && name !== "**" ? [`--type-add=wanted:${name}`, "--type=wanted"] : [];
}

function matchOf(line: string): Match | undefined {
  const end = line.indexOf("\0");
  const rest = /^(\d+):(.*)$/su.exec(line.slice(end + 1));
  return end < 0 || !rest ? undefined : { path: line.slice(0, end), line: Number(rest[1]), text: rest[2] ?? "" };
}

function shownAs(workspace: string, found: string): string {
  const relative = path.relative(workspace, found);
  return path.isAbsolute(relative) || relative.split(path.sep)[0] === ".." ? found : posix(relative);
}

const posix = (relative: string): string => relative.split(path.sep).join("/");

const byPlace = (a: Match, b: Match): number => (a.path === b.path ? a.line - b.line : a.path < b.path ? -1 : 1);
