import path from "node:path";
import { loadRegexEngine } from "@baton/core/text/regex";
import { systemFault, type SystemFault } from "../system-fault.ts";
import type { ResolvePath } from "./files.ts";
import { compileGlob, type Glob } from "./compile-glob.ts";
import { runRipgrep } from "./ripgrep.ts";

type Match = { path: string; line: number; text: string };
/** A line that matches, or one near a match. */
type FoundLine = Match & { isNear?: true };

/** `capped`: there are more results. Nothing tells whether a file matches that may not be read, because patterns could then guess its text. */
export type Matches = { matches: FoundLine[]; capped: boolean };
/** `leftOut`: the number of files that may not be read. */
type FileNames = { files: string[]; capped: boolean; leftOut: number };

/** Searches the files of a workspace or a call. Ignored files are skipped, and links are not followed. */
export type FileSearch = {
  /** `context`: the number of lines before and after each match, which are in the result as well. */
  text(query: { pattern: string; path?: string; glob?: string; context?: number }, signal: AbortSignal): Promise<Matches | SystemFault>;
  files(query: { path?: string; glob?: string; limit?: number }, signal: AbortSignal): Promise<FileNames | SystemFault>;
  /** True if results may show a file of the workspace. */
  mayShow(relative: string): boolean;
};

type SearchOptions = {
  /** A real path. */
  workspace: string;
  resolve: ResolvePath;
  /** True if a file may appear in the results. Only the folder was judged before. `relative`: its path in rules. */
  mayRead: (relative: string) => boolean;
  timeLimitMs?: number;
};

const MAX_MATCHES = 5_000;
const MAX_FILES = 50_000;
const COMMON = ["--no-config", "--color=never", "--null", "--hidden", "--no-require-git", "--glob=!.git", "--no-messages"];
const BY_LINE = ["--no-heading", "--with-filename", "--line-number", "--max-columns=500", "--max-columns-preview"];

/** Ties the search to a path gate. Results are sorted by path and line. */
export function openFileSearch({ workspace, resolve, mayRead, timeLimitMs = 20_000 }: SearchOptions): FileSearch {
  const prepare = async (named = ".", globText?: string) => {
    await loadRegexEngine();
    const place = resolve(named, "read");
    if ("refused" in place) return systemFault("refused", place.refused);
    const glob = globText === undefined ? everything : compileGlob(globText);
    if (typeof glob !== "function") return glob;
    return { start: place.real, filter: createFilter(workspace, place.real, glob, mayRead), narrowing: typeFilter(globText) };
  };

  return {
    mayShow: mayRead,
    async text({ pattern, path: named, glob, context = 0 }, signal) {
      const prepared = await prepare(named, glob);
      if ("fault" in prepared) return prepared;
      const { start, filter, narrowing } = prepared;
      const matches: FoundLine[] = [];
      const onLine = (line: string): boolean => {
        const match = matchOf(line);
        const shown = match && filter.take(match.path);
        if (match && shown !== undefined) matches.push({ ...match, path: shown });
        return matches.length < MAX_MATCHES;
      };
      const args = [...COMMON, ...narrowing, ...BY_LINE, `--context=${context}`, `--regexp=${pattern}`, "--", start];
      const ended = await runRipgrep(args, { cwd: workspace, separator: "\n", onLine, signal, timeLimitMs });
      return "fault" in ended ? ended : { matches: matches.toSorted(byPathAndLine), capped: ended.cut };
    },

    async files({ path: named, glob, limit = MAX_FILES }, signal) {
      const prepared = await prepare(named, glob);
      if ("fault" in prepared) return prepared;
      const { start, filter, narrowing } = prepared;
      const files: string[] = [];
      const onLine = (found: string): boolean => {
        const shown = filter.take(found);
        if (shown !== undefined) files.push(shown);
        return files.length < limit;
      };
      const args = [...COMMON, ...narrowing, "--files", "--", start];
      const ended = await runRipgrep(args, { cwd: workspace, separator: "\0", onLine, signal, timeLimitMs });
      return "fault" in ended ? ended : { files: files.toSorted(), capped: ended.cut, leftOut: filter.leftOut() };
    },
  };
}

const everything: Glob = () => true;

/** Passes files that match the glob and may be read, under the name that clients see. Each file is judged once. */
function createFilter(workspace: string, start: string, glob: Glob, mayRead: (relative: string) => boolean) {
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
 * Lets ripgrep skip files whose name cannot match. Its `--glob` would include ignored files, so the last part of a simple glob is passed as a
 * file type.
 */
function typeFilter(glob: string | undefined): string[] {
  const name = glob?.slice(glob.lastIndexOf("/") + 1) ?? "";
  return /^[\w.*?-]+$/.test(name) && name !== "**" ? [`--type-add=wanted:${name}`, "--type=wanted"] : [];
}

function matchOf(line: string): FoundLine | undefined {
  const end = line.indexOf("\0");
  const rest = /^(\d+)([:-])(.*)$/su.exec(line.slice(end + 1));
  if (end < 0 || !rest) return undefined;
  if (!path.isAbsolute(line)) return undefined; // the end of a name with a line end in it
  const found = { path: line.slice(0, end), line: Number(rest[1]), text: rest[3] ?? "" };
  return rest[2] === "-" ? { ...found, isNear: true } : found;
}

function shownAs(workspace: string, found: string): string {
  const relative = path.relative(workspace, found);
  return path.isAbsolute(relative) || relative.split(path.sep)[0] === ".." ? found : posix(relative);
}

const posix = (relative: string): string => relative.split(path.sep).join("/");

function byPathAndLine(a: Match, b: Match): number {
  if (a.path === b.path) return a.line - b.line;
  return a.path < b.path ? -1 : 1;
}
