import path from "node:path";
import { matchesWildcard } from "@baton/core/permission/wildcard";
import { hasFlag, mayHaveFlag, type ParsedArguments } from "./parse-arguments.ts";
import { readCall } from "./classify-by-table.ts";
import { isOrdinaryName } from "./find-and-xargs.ts";
import { doubtful, type NamedPath, type PathUse, type ProgramClassifier, type FolderTraversal } from "./program-types.ts";
import { isSearched } from "../files/find-secrets.ts";
import { foldersFrom, readText, realPath } from "../files/path-on-disk.ts";
import { repositoryOf } from "../git/git-index.ts";
import { entriesBelow } from "../files/walk-folder.ts";
import { readers } from "../tables/readers.ts";
import { namePairs } from "../tables/name-matcher.ts";
import { literal, type Word } from "../words/word.ts";

/** Classifies `grep`. `grep -r` reads all files below a folder or the working directory, also hidden ones. `-R` follows symlinks. */
export const grep: ProgramClassifier = ({ name, words }) => {
  const { effects, sorted } = readCall(readers["grep"], words);
  const follows = hasFlag(sorted, "-R --dereference-recursive") || sorted.unknown.length > 0; // the flag may be shortened
  if (!follows && !hasFlag(sorted, "-r --recursive") && !sorted.occurrences.some(recurses)) return effects;
  if (name === "zgrep") return doubtful("zgrep hands files to grep as its input, so grep searches the working directory instead");
  const passed = sorted.occurrences.flatMap(({ flag, value }) => (flag === "--exclude-dir" && !follows && value ? value.text : []));
  const isPassed = (below: string) =>
    below
      .split("/")
      .slice(0, -1)
      .some((part) => passed.some((each) => each === part || (/^[\w.*?-]+$/.test(each) && matchesWildcard(each, part))));
  const leavesOut = () => (name: string, below: string) => (sorted.unknown.length === 0 && !isLookedInto(name, sorted)) || isPassed(below);
  return { ...effects, paths: searching(effects.paths, sorted, { follows, leavesOut }) };
};

const recurses = ({ flag, value }: ParsedArguments["occurrences"][number]): boolean =>
  /^(-d|--directories)$/.test(flag) && (value?.kind !== "literal" || value.text.startsWith("r"));

/** True if `grep` reads a file of this name. The last `--include` or `--exclude` that matches decides, or else the first one. */
function isLookedInto(name: string, { occurrences }: ParsedArguments): boolean {
  const chosen = occurrences.filter(({ flag }) => /^--(include|exclude(-from)?)$/.test(flag));
  const last = chosen.findLast(({ flag, value }) => {
    const isPlain = value?.kind !== "open" && value !== undefined && !/[[\\/]/.test(value.text);
    return flag !== "--exclude-from" && (isPlain ? matchesWildcard(value.text, name) : flag === "--include");
  });
  return last === undefined ? chosen[0]?.flag !== "--include" : last.flag === "--include";
}

/** Classifies `rg`. It skips hidden files, unless flags, types or globs include them. `-L` follows symlinks. */
export const rg: ProgramClassifier = ({ words, fed, isFirst }) => {
  const { effects, sorted } = readCall(readers["rg"], words);
  const valuesOf = (flags: RegExp) =>
    sorted.occurrences.flatMap(({ flag, value }) => (flags.test(flag) ? [value?.kind === "literal" ? value.text : ""] : []));
  const isTurned = sorted.operands.some(({ text }) => text.includes("..")); // a glob matches `src/../x` as it is written
  const inOrder = [...valuesOf(/^(-g|--glob)$/), ...valuesOf(/^--iglob$/)]; // the last one that matches decides, in this order (observed with ripgrep 15)
  const written = inOrder.map((glob) => glob.replace(/^=/, "")); // rg takes `-g=x` for `-g x`
  const globs = written.flatMap(globsIn).map((glob) => (isTurned && glob.includes("/") ? "" : glob));
  const types = valuesOf(/^(-t|--type)$/);
  const follows = mayHaveFlag(sorted, "-L --follow");
  const isAll =
    sorted.occurrences.filter(({ flag }) => flag === "-u" || flag === "--unrestricted").length > 1 ||
    mayHaveFlag(sorted, "--hidden -. --type-add --ignore-file") ||
    types.some((type) => !TYPES.has(type));
  const listed = effects.paths.map((each): NamedPath => (sorted.operands.includes(each.word) ? { ...each, use: "names" } : each));
  if (hasFlag(sorted, LISTING))
    return hasFlag(sorted, `${NAMING} --json`) ? doubtful("rg lists or searches, as its last flag says") : { ...effects, paths: listed };
  const places = sorted.operands.slice(hasFlag(sorted, "-e -f --regexp --file") ? 0 : 1);
  const isPattern = valuesOf(/^(-f|--file)$/).some((file) => /^(-|\/dev\/(stdin|fd\/0)|)$/.test(file)); // then the input has the patterns
  const searchesInput = (fed === "pipe" || fed === "text") && !isPattern && places.length === 0;
  if (searchesInput && sorted.unknown.length === 0) return effects;
  const isOrdinary = !isAll && globs.every((glob) => isOrdinaryName(path.posix.basename(glob)) || /^\w.*\/\*+$/.test(glob));
  const use = hasFlag(sorted, NAMING) && isOrdinary && !follows ? "reads" : "searches";
  const depth = Math.max(0, ...sorted.operands.map(({ text }) => path.normalize(text).split("/").length));
  const chosen = globs.length > 0 || isAll ? globs : types.flatMap((type) => TYPES.get(type)?.split(",") ?? []);
  const leaves = chosen.length > 0 ? leavesUnmatched(chosen, depth) : isAll ? undefined : leavesHidden;
  const last = written.slice(written.findLastIndex((glob) => !/^![^!]/.test(glob)) + 1); // `!!` includes again
  const isHere =
    !follows &&
    !hasFlag(sorted, "--iglob --glob-case-insensitive") &&
    places.every(({ kind, text }) => kind === "literal" && IN_FOLDER.test(text));
  const passed = isHere ? last.flatMap((glob) => /^!(?:\*\*\/(?!.*\/\w)|\/)?([\w. -]+(?:\/[\w. -]+)*)\/?\**$/.exec(glob)?.[1] ?? []) : [];
  const left = last.flatMap((glob) => /^!([\w.*?-]+)$/.exec(glob)?.[1] ?? []);
  const files = isHere ? last.flatMap((glob) => /^!\/?([\w. -]+(?:\/[\w. -]+)+)$/.exec(glob)?.[1] ?? []) : [];
  const skipsIgnored = isFirst === true && sorted.unknown.length === 0 && !hasFlag(sorted, UNIGNORED) && last.length === written.length;
  const isPassed = (name: string, below: string, starts: readonly string[]) =>
    (starts.length > 0 &&
      starts.every((start) => passed.some((each) => isLeftOf(start, each) && `${start}${below}`.startsWith(`${each}/`)))) ||
    left.some((each) => matchesWildcard(each, name) || (!follows && below.split("/").some((part) => matchesWildcard(each, part)))) ||
    (starts.length > 0 && starts.every((start) => files.includes(start + below)));
  const leavesOut = (folder: string) => {
    const isLeft = leaves?.(folder);
    const isIgnored = skipsIgnored ? ignoredIn(folder) : undefined;
    const starts = isHere ? startsOf(folder, places) : [];
    return (name: string, below: string) => isLeft?.(name, below) === true || isIgnored?.(below) === true || isPassed(name, below, starts);
  };
  return { ...effects, paths: searching(effects.paths, sorted, { follows, leavesOut }, use) };
};

/** Returns the possible paths of a folder from the working directory, where globs with a slash begin. */
function startsOf(folder: string, places: readonly Word[]): string[] {
  const names = places.map(({ text }) => path.posix.normalize(`${text}/`));
  return (names.length === 0 ? ["./"] : names)
    .filter((name) => name === "./" || `${path.posix.resolve(folder)}/`.endsWith(`/${name}`))
    .map((name) => name.replace("./", ""));
}

/** True for a folder below the start of a search. If the search starts in that folder or deeper, rg reads it. */
const isLeftOf = (start: string, folder: string): boolean => `${folder}/`.startsWith(start) && `${folder}/` !== start;

/** A place at or below the working directory. */
const IN_FOLDER = /^(?!(.*\/)?\.\.(\/|$))[\w.][\w./-]*$/;

/** Flags with which rg searches files that git ignores. */
const UNIGNORED =
  "-u --unrestricted --no-ignore --no-ignore-vcs --no-ignore-dot --no-ignore-exclude --no-ignore-parent --no-ignore-global --ignore-file";

/** Returns a test for files that git ignores, and rg skips, because of plain lines in the `.gitignore` of the repository. Source: gitignore(5). */
export function ignoredIn(folder: string): (below: string) => boolean {
  const real = realPath(folder) ?? folder;
  const root = repositoryOf(real)?.root;
  const top = root === real ? "/" : `/${path.relative(root ?? real, real)}/`;
  const text = root === undefined ? "" : (readText(path.join(root, ".gitignore")) ?? "");
  const forms = (text.match(/^\/?\*?[\w.-]+(\/[\w.-]+)*\/?$/gm) ?? []).flatMap((line) => {
    const isAnchored = /\/./.test(line);
    const name = isAnchored ? line.replace(/^\/?/, "/") : line;
    if (isAnchored && !(name.startsWith(top) && name.length > top.length)) return [];
    const own = (isAnchored ? name.slice(top.length) : name).replaceAll(".", "\\.").replaceAll("*", "[^/]*");
    return `${isAnchored ? "^" : "(^|/)"}${own}${line.endsWith("/") ? "" : "(/|$)"}`;
  });
  const isNamed = new RegExp(forms.join("|") || "(?!)");
  const isFree = unhidden(folder);
  return (below) => isNamed.test(below) && !isFree(below);
}

/** Types of rg. Their hidden files are not skipped. With any other type, all files count. Source: `rg --type-list` of ripgrep 15. */
const TYPES = namePairs(`ts=*.cts,*.mts,*.ts,*.tsx typescript=*.cts,*.mts,*.ts,*.tsx js=*.cjs,*.js,*.jsx,*.mjs,*.vue py=*.py,*.pyi go=*.go
  python=*.py,*.pyi rust=*.rs java=*.java,*.jsp,*.jspx,*.properties css=*.css,*.scss html=*.ejs,*.htm,*.html cs=*.cs kotlin=*.kt,*.kts
  json=*.json,*.sarif,composer.lock yaml=*.yaml,*.yml toml=*.toml,Cargo.lock lua=*.lua sql=*.psql,*.sql swift=*.swift vue=*.vue txt=*.txt
  md=*.md,*.markdown,*.mdown,*.mdwn,*.mdx,*.mkd,*.mkdn ruby=*.gemspec,*.rake,*.rb,*.rbw,.irbrc,Gemfile,Rakefile,config.ru php=*.ph*
  c=*.c,*.h,*.H,*.in,*.cats cpp=*.c*,*.C*,*.h*,*.H*,*.in,*.inl`);

/** Globs with a slash begin in the working directory, which is at most `depth` folders above those that the call names. */
const leavesUnmatched = (globs: readonly string[], depth: number) => (folder: string) => {
  const parts = path.posix.resolve(folder).split("/"); // without a slash at the end
  return (name: string, below: string) => {
    const files = Array.from({ length: depth + 1 }, (_, i) => [...parts.slice(parts.length - i), below].join("/"));
    return !globs.some((glob) => (glob.includes("/") ? files : [name]).some((file) => mayMatch(glob.replace(/^\//, ""), file)));
  };
};

const leavesHidden = (folder: string) => {
  const isBroughtIn = unhidden(folder);
  return (_: string, below: string) => HIDDEN.test(below) && !isBroughtIn(below);
};

const MAX_FOLDERS = 300;
const IGNORE_FILES = [".gitignore", ".ignore", ".rgignore", ".git/info/exclude"];

/**
 * Returns a test for hidden files that rg searches although no argument asks for it. A line `!.env` in an ignore file
 * includes such a file. The ignore file may be here, above or below (observed with ripgrep 15).
 */
function unhidden(folder: string): (below: string) => boolean {
  const nearest = () => [...entriesBelow(folder, { maxFolders: MAX_FOLDERS, enters: isSearched })].filter(isSearched);
  const folders = () => [...foldersFrom(folder), ...nearest().map(({ file }) => file)];
  const files = () => folders().flatMap((each) => IGNORE_FILES.map((name) => path.join(each, name)));
  const lines = () => files().flatMap((file) => (readText(file) ?? "").replace(/^\ufeff/, "").match(/^!.*/gm) ?? []);
  let patterns: readonly string[] | undefined;
  return (below) => {
    patterns ??= lines().map((line) => line.slice(1).trim().replace(/\/+$/, "").split("/").at(-1) ?? "");
    return patterns.some((pattern) => /[[\\{]/.test(pattern) || below.split("/").some((part) => matchesWildcard(pattern, part)));
  };
}

const HIDDEN = /(^|\/)\.[^/]*/;
/** Flags with which rg prints the names of the files, and nothing from them. */
const NAMING = "-l -c -q --files-with-matches --files-without-match --count --count-matches --quiet";
/** Flags with which rg opens no file. */
const LISTING = "--files --type-list --version";
/** True unless a glob certainly does not match a file of this name. */
const mayMatch = (glob: string, name: string): boolean =>
  glob === "" || /[[\\{]|(^|\/)\.{0,2}\//.test(glob) || matchesWildcard(glob.toLowerCase(), name.toLowerCase());

/** Returns the alternatives of a `-g` of rg. Excluded names do not count. */
function globsIn(glob: string): string[] {
  if (glob.startsWith("!")) return [];
  const [, head, list, tail] = /^([^{]*)\{([^{}]*)\}([^{]*)$/.exec(glob) ?? [];
  return list === undefined ? [glob] : list.split(",").map((each) => `${head}${each}${tail}`);
}

/** Returns the paths of a search: everything below its operands or the working directory, and the files that flags name. */
function searching(paths: readonly NamedPath[], sorted: ParsedArguments, search: FolderTraversal, use: PathUse = "searches"): NamedPath[] {
  const { operands } = sorted;
  const isSearched = (each: NamedPath) => each.use === "reads" && operands.includes(each.word);
  const all = paths.map((each) => (isSearched(each) ? { word: each.word, use, search } : each));
  const mayBePattern = operands.length === 1 && operands[0]?.kind !== "literal" && !hasFlag(sorted, "-e -f --regexp --file"); // `grep -r a.t?`
  return paths.some(isSearched) && !mayBePattern && sorted.unknown.length === 0 ? all : [...all, { word: literal("."), use, search }];
}
