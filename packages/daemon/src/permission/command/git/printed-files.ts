import { homedir } from "node:os";
import path from "node:path";
import { matchesWildcard } from "@baton/core/permission/wildcard";
import { hasFlag, parseArguments, type ParsedArguments } from "../programs/parse-arguments.ts";
import { isUnchanged, repositoryOf, trackedSecrets } from "./git-index.ts";
import { foldersOf } from "./embedded-repositories.ts";
import type { Places, ShellContext } from "../shell/shell-context.ts";
import { exists, isBelow, isFolder, pathKind } from "../files/path-on-disk.ts";
import { secretsBelow } from "../files/find-secrets.ts";
import { holdsToken } from "../files/key-files.ts";
import { gitTables } from "../tables/git.ts";
import { A_COMMIT, literal, partOf, type Word } from "../words/word.ts";
import { wordSet } from "../tables/name-matcher.ts";
import { resolvePath } from "../files/physical-path.ts";

/** Settings for development and tests that frameworks expect in the repository. Git prints them with everything else. */
const SHARED = /\.env\.(development|dev|test|testing|ci)$/;

/** Returns the index of git's subcommand among its words, or -1 if there is none. */
export const subCommandAt = (words: readonly Word[]): number =>
  words.findIndex(({ text }, i) => !text.startsWith("-") && !/^-[cC]$/.test(words[i - 1]?.text ?? ""));

const MAX_KEYS = 100;

/**
 * A file or folder whose content git prints, by its absolute path. `chooses`: selects files among the tracked ones. `keys`: the files with keys
 * among these, and undefined if they are not clear. `untracked`: it also prints files that git does not track, those that it ignores included or not.
 */
export type Printed = {
  path: string;
  chooses?: (file: string) => boolean;
  keys: readonly string[] | undefined;
  untracked?: "plain" | "ignored";
};

const printed = (file: string): Printed => ({ path: file, keys: [] });
const everythingBelow = (root: string): Printed => ({ path: root, chooses: () => true, keys: [] });

/** Subcommands that print the content of the files that their arguments name. */
export const SHOWING: ReadonlySet<string> = wordSet(`log show diff whatchanged diff-tree diff-index diff-files blame annotate cat-file
  grep stash reflog archive format-patch bundle range-diff merge-tree`);

type RevisionPath = { file: string; isHere: boolean; isOfTree: boolean };

/**
 * Returns the file of `REV:PATH`, of `:PATH` or of `:0:PATH`. `isHere`: its path starts from the folder (`./`), not from the
 * root. `isOfTree`: it may start from any folder. Colons in `@{...}` and `^{...}` belong to the revision. Source: gitrevisions(7).
 */
export function parseRevisionPath(text: string): RevisionPath | undefined {
  const at = colonOf(text);
  if (at < 0 || /^-|[*?[\\]/.test(at === 0 ? text : text.slice(0, at))) return undefined; // `:*` is a pathspec
  const named = at === 0 ? /^:(?:\d:)?([^/(!^:].*)$/s.exec(text)?.[1] : text.slice(at + 1);
  const [, dot, file] = /^(\.\.?\/)?(.+)$/s.exec(named ?? "") ?? [];
  const isOfTree = at > 0 && !COMMIT.test(text);
  return file === undefined ? undefined : { file: dot === "../" ? `../${file}` : file, isHere: dot !== undefined, isOfTree };
}

/** A name that is always a commit. An ID and a tag may be those of a folder. */
const COMMIT = /^(HEAD|@)/;

/** Returns the file of a revision, and those with the same path in any folder if the revision may be a folder. */
function ofRevision({ file, isHere, isOfTree }: RevisionPath, folder: string, root: string): Printed[] {
  const chooses = (each: string) => `${each}/`.includes(path.join("/", file, "/"));
  const others = isOfTree ? [{ path: root, chooses, keys: keysPrinted({}, root, chooses) }] : [];
  return [printed(path.resolve(isHere ? folder : root, file)), ...others];
}

function colonOf(text: string): number {
  const outside = text.replaceAll(/[@^]\{[^{}]*\}/g, (part) => "_".repeat(part.length));
  return /[@^]\{/.test(outside) ? -1 : outside.indexOf(":");
}

/** Sorts the operands of a call that prints into files of commits, revisions and pathspecs. Behind the first path, all are paths. */
function shownOperands(name: string, { operands, seen, occurrences }: ParsedArguments, words: readonly Word[], folder: string) {
  const isValue = (word: Word) => occurrences.some(({ value }) => value === word);
  const dashes = words.findIndex((word) => word.kind === "literal" && word.text === "--" && !isValue(word));
  const own = operands.filter((word) => !words.slice(dashes < 0 ? words.length : dashes).includes(word));
  const isPattern = name === "grep" && !seen.has("-e"); // the first word is one, also behind `--`
  const behind = dashes < 0 ? [] : words.slice(dashes + (isPattern && own.length === 0 ? 2 : 1));
  const sorted = { files: [] as RevisionPath[], revisions: [] as Word[], specs: [] as Word[] };
  const before = own.slice(isPattern ? 1 : 0);
  let arePaths = false;
  for (const word of before) {
    const file = word.kind === "open" ? undefined : parseRevisionPath(word.text);
    const isPath = () => (/^:|[*?[]/.test(word.text) && !BY_MESSAGE.test(word.text)) || isThere(word, folder);
    if (word.text.startsWith(":/")) sorted.specs.push({ kind: "open", text: word.text, prefix: "", single: true }); // a commit, or a path
    arePaths ||= file === undefined && (word.kind !== "literal" || (dashes < 0 && isPath()));
    // In a loop over a pattern, `HEAD:$f` is any file that matches.
    if (word.kind === "pattern" && file) sorted.specs.push({ ...word, text: `${file.isHere ? "./" : ":/"}${file.file}` });
    else if (arePaths) sorted.specs.push(word);
    else if (file) sorted.files.push(file);
    else sorted.revisions.push(word);
  }
  // `git log -L 1,5:FILE` shows only these lines of the file.
  const lines = name === "log" ? occurrences.flatMap(({ flag, value }) => (flag === "-L" && value ? value : [])) : [];
  const ofLines = lines.map((word) =>
    word.kind === "open" ? word : partOf(word, word.text.replace(/^.*:(?!\/)/s, "./").replace(/^.*:/s, "")),
  );
  const all = [...sorted.specs, ...behind, ...ofLines];
  const excluded = all.flatMap(({ kind, text }) => (kind === "literal" && EXCLUDED.exec(text)?.[2]) || []);
  return { ...sorted, excluded, specs: all.filter(({ kind, text }) => kind === "open" || !/^:(!|\^|\(exclude\))/.test(text)) };
}

/** Returns an open word in the place of an example of a path that is known only when it runs. */
const unlessExample = (word: Word, isPath: boolean): Word =>
  word.kind === "literal" && /[$`]/.test(word.written?.replace(/^.*:/s, "") ?? "") && (isPath || NAMES_PATH.test(word.text))
    ? { kind: "open", text: word.text, prefix: "", single: true }
    : word;
const NAMES_PATH = /^(?!-)([^.:]*\/|\.(?!\.)|.*([^.]\.\w|:))/; // and not a range of commits

/** A path that git leaves out: `:!secrets` or `:(exclude)secrets/**`. Source: "pathspec" in gitglossary(7). */
const EXCLUDED = /^:(!|\^|\(exclude\))([\w. -]+(?:\/[\w. -]+)*)\/?\*{0,2}$/;

/** A commit that is named by its message: `:/fix` or `HEAD^{/fix}`. Source: gitrevisions(7). */
const BY_MESSAGE = /^:\/|[@^]\{/;

/** True for flags with which a subcommand prints changes: `git status -v`, `git commit --dry-run -v`, `git add -p`. */
const printsDiff = (name: string, words: readonly Word[]): boolean => {
  const call = words.some(({ text }) => /^--(dr|l|po|sho?($|rt?$))/.test(text)) ? `${name} dry` : name;
  return words.some(({ text }) => PRINTING_DIFF.test(`${call} ${text}`));
};

const PRINTING_DIFF =
  /^((status( dry)?|commit dry) (-[a-zA-Z]*v|--v(e|$))|(add|commit|checkout|reset|restore|stash)( dry)? (-[aefiknqsuvzANSUW\d]*p|--p(a(t(ch?)?)?)?$)|commit( dry)? --int|rebase( dry)? --sh)/;

/** Words with which `git diff` prints other changes than those of the files in the repository. */
const ELSEWHERE = /^--(ca|st?a?g|no-i|me|all|branch|tag|remote|glob|reflog|bisect|stdin|not|alt|indexed)|^(-g|\/)|\.\./;

/**
 * Returns the files that a git call prints: those that it names, or all tracked ones. In another worktree of the workspace's repository, these are
 * also the files of the workspace. `knowsFiles`: the text has changed none so far.
 */
export function filesPrintedByGit(words: readonly Word[], context: Places, knowsFiles: boolean): Printed[] {
  const own = repositoryOf(context.place.workspace);
  return printedBy(words, context, knowsFiles).flatMap((each): Printed[] => {
    const other = own && repositoryOf(each.path);
    if (!other || other.root === own.root || dataOf(other.place) !== dataOf(own.place)) return [each];
    const { chooses } = each;
    const there = (file: string) => path.join(other.root, path.relative(own.root, file));
    const here = path.join(own.root, path.relative(other.root, each.path));
    return [each, { path: here, keys: [], ...(chooses ? { chooses: (file: string) => chooses(there(file)) } : {}) }];
  });
}

/** Returns the folder with the commits of a repository, which all its worktrees share. */
const dataOf = (place: string): string => place.replace(/\/worktrees\/[^/]+$/, "");

function printedBy(words: readonly Word[], context: Pick<ShellContext, "cwds">, knowsFiles: boolean): Printed[] {
  const at = subCommandAt(words);
  const rest = words.slice(at + 1).map((word, i, all) =>
    unlessExample(
      word,
      all.slice(0, i).some(({ text }) => text === "--"),
    ),
  );
  const name = words[at]?.text ?? "";
  const folders = foldersOf(words.slice(0, Math.max(at, 0)), context);
  if (name === "clone" || (name === "worktree" && rest[0]?.text === "add"))
    return folders.flatMap((folder) => copiedByGit(name, rest, folder));
  if (TAKING.has(name)) return takenByGit(name, rest, folders);
  if (/^(remote|config|var|ls-remote)$/.test(name)) return folders.flatMap(configOf);
  if ((!SHOWING.has(name) && !printsDiff(name, rest)) || (name === "cat-file" && /^-[tse]$/.test(rest[0]?.text ?? ""))) return [];
  const prints = printing(name, rest);
  const isPlainDiff = knowsFiles && name === "diff" && !rest.some(({ text }) => ELSEWHERE.test(text));
  return folders.flatMap((folder) => {
    const root = repositoryOf(folder)?.root;
    // Outside of a repository, git compares any two folders.
    if (root === undefined) return name === "diff" ? rest.filter(isOperand).map(({ text }) => printed(path.resolve(folder, text))) : [];
    const { files, revisions, specs, excluded } = shownOperands(name, prints?.sorted ?? sortedFor(name, rest), rest, folder);
    const old = files.flatMap((each) => ofRevision(each, folder, root));
    if (!prints) return old;
    const isTree = name.startsWith("diff") && old.some((each) => pathKind(each.path) !== "file"); // `git diff --cached HEAD:src` shows all files
    const isWhole = isTree || prints.paths === "not heeded" || rest.some(({ text }) => text.startsWith("--full-d"));
    const namesFiles = old.length > 0 && /^(show|diff|grep|archive)$/.test(name); // others find no commit there
    if (!isWhole && specs.length === 0 && revisions.length === 0 && namesFiles) return old;
    const isAll = isWhole || specs.length === 0;
    const isOfFiles = isPlainDiff && revisions.length === 0 && !isWhole && specs.every(isPlain);
    const isLeftOut = (file: string) => !isWhole && excluded.some((place) => isBelow(file, fromTop(place, folder, root)));
    // An absolute path may lead there through a link.
    const isElsewhere =
      specs.some(({ text }) => text.startsWith("/") && !isBelow(text, root)) && !rest.some(({ text }) => text === "--no-index");
    const chooses = (file: string) =>
      (isAll || isElsewhere || specs.some((spec) => mayMatch(spec, file, folder, root))) &&
      !isLeftOut(file) &&
      !(isOfFiles && isUnchanged(file)); // it prints changed files only
    const named = isAll ? [] : specs.filter(isPlain).map(({ text }) => fromTop(text, folder, root));
    const ownFiles = named.filter((place) => !isFolder(place) || prints.untracked).map(printed);
    const isIgnored = rest.some(({ text }) => text.startsWith("--no-e"));
    const untracked = prints.untracked ? { untracked: isIgnored ? ("ignored" as const) : ("plain" as const) } : {};
    return [...old, ...ownFiles, { path: root, chooses, keys: keysPrinted(prints, root, chooses), ...untracked }];
  });
}

/** Returns the files with keys among those that git prints. Without `untracked`, these are tracked files. */
function keysPrinted({ isNaming, untracked }: Partial<Printing>, root: string, chooses: (file: string) => boolean): string[] | undefined {
  const tracked = isNaming ? [] : trackedSecrets(root)?.filter((file) => !SHARED.test(file));
  const keys = tracked && [...tracked, ...(untracked && !isNaming ? secretsBelow(root) : [])];
  return keys && keys.length <= MAX_KEYS ? keys.filter(chooses) : undefined;
}

/** Returns the settings of a repository if they hold a token. Those of a worktree are two folders above its own. */
const configOf = (folder: string): Printed[] =>
  ["config", "../../config"]
    .map((name) => path.join(repositoryOf(folder)?.place ?? folder, name))
    .concat(path.join(homedir(), ".gitconfig"))
    .filter(holdsToken)
    .map(printed);

/** Subcommands that put the content of a committed file under another name: a tag, a note, another path. */
const TAKING: ReadonlySet<string> = wordSet(`tag notes merge-file checkout restore reset read-tree for-each-ref branch commit-tree
  mktree update-ref push fetch`);

/** Returns the files that `REV:PATH` names among these words, including after a flag. If only an ID names an object, returns all files. */
function takenByGit(name: string, words: readonly Word[], folders: readonly string[]): Printed[] {
  const values = words.filter((_, i) => !/^(-m|--message)$/.test(words[i - 1]?.text ?? ""));
  const isTransfer = name === "push" || name === "fetch"; // the last colon is in front of the name there
  const named = values.flatMap(({ text }) =>
    isTransfer ? (/^\+?(.*:.*):/.exec(text)?.[1] ?? []) : text.replace(/^(--[\w-]+=|-\w(?=.))/, ""),
  );
  const files = named.flatMap((text) => parseRevisionPath(text) ?? []);
  const ofTree =
    !isTransfer && values.some(isObject) ? values.filter(isOperand).map(({ text }) => ({ file: text, isHere: true, isOfTree: true })) : [];
  const prints = printing(name, words);
  const isWhole = prints !== undefined || values.some(({ kind, text }) => kind === "pattern" && parseRevisionPath(text) !== undefined);
  return folders.flatMap((folder) => {
    const root = repositoryOf(folder)?.root;
    if (root === undefined) return [];
    const taken = [...files, ...ofTree].flatMap((each) => ofRevision(each, folder, root));
    return [...taken, ...(isWhole ? [{ ...everythingBelow(root), keys: prints ? keysPrinted(prints, root, () => true) : [] }] : [])];
  });
}

/** Returns all files of a local repository that `git clone` or `git worktree add` copies. */
function copiedByGit(name: string, words: readonly Word[], folder: string): Printed[] {
  const source =
    name === "clone"
      ? words.find(({ kind, text }) => kind === "pattern" || LOCAL.test(text) || exists(path.resolve(folder, text)))
      : literal(".");
  if (source?.kind === "pattern") return copiedByGit("worktree", [], folder); // it may match any folder
  const root = source && repositoryOf(resolvePath(folder, source.text.replace(/^file:\/\//i, "")))?.root;
  return root === undefined ? [] : [everythingBelow(root)];
}

/** The beginning of an address that is a path. */
const LOCAL = /^\.{1,2}(\/|$)|^\/|^file:/i;

/** True for a pathspec that is a plain path. Source: "pathspec" in gitglossary(7). */
const isPlain = ({ kind, text }: Word): boolean => kind === "literal" && !/^:(?!\/[^/!^:])|[*?[\\]/.test(text);

const fromTop = (text: string, folder: string, root: string): string =>
  text.startsWith(":/") ? path.resolve(root, `./${text.slice(2)}`) : path.resolve(folder, text);

/** True if a pathspec with wildcards may match the file. A pathspec that the gate does not understand may match any file. */
function mayMatch({ kind, text }: Word, file: string, folder: string, root: string): boolean {
  if (kind === "open" || /^:(?!\/[^/!^:])|\\/.test(text)) return true;
  const pattern = fromTop(text.replace(/\[.*/s, "*"), folder, root);
  return file === pattern || pattern === root || matchesWildcard(pattern, file) || matchesWildcard(`${pattern}/*`, file);
}

/** Sorts the words according to the table of the subcommand. `stash show` and `reflog show` use the table of `log`. */
function sortedFor(name: string, words: readonly Word[]): ParsedArguments {
  const isLog = name === "stash" || name === "reflog";
  const table = isLog ? gitTables["log"] : Object.hasOwn(gitTables, name) ? gitTables[name] : undefined;
  const own = words.filter(({ text }, i) => text !== "--no-index" && !(i === 0 && isLog && !text.startsWith("-")));
  return parseArguments(table, own);
}

/** `isNaming`: it only tells which files have a text in them. Then rules about a file apply, and the floor for keys does not. */
type Printing = { sorted: ParsedArguments; untracked: boolean; paths: "named" | "not heeded"; isNaming?: boolean };

/** Returns how a subcommand prints the content of files that it chooses itself. Undefined if it does not. */
function printing(name: string, words: readonly Word[]): Printing | undefined {
  if (words.length === 1 && words[0]?.text === "--help") return undefined;
  const sorted = sortedFor(name, words);
  const hasOne = (flags: string): boolean => hasFlag(sorted, flags);
  const isPatch = hasOne(PATCH) || sorted.unknown.length > 0;
  const { operands, unknown } = sorted;
  const limited: Printing["paths"] = unknown.length > 0 ? "not heeded" : "named"; // such a flag may take the next word, or add commits
  const shown = (paths = limited, untracked = false) => ({ sorted, untracked, paths });
  const isOneOf = (names: string): boolean => names.split(" ").includes(name);
  if (name === "grep" && !operands.slice(hasOne("-e") ? 0 : 1).some(isObject))
    return {
      ...shown(limited, hasOne("--untracked") || unknown.some((text) => text.startsWith("--u"))),
      isNaming: hasOne(NAMING) && unknown.length === 0,
    };
  if (name === "cat-file") {
    if (words.every(({ kind, text }) => kind === "literal" && text.startsWith("--batch-check"))) return undefined;
    const isNamed =
      unknown.length === 0 && (hasOne("-t -s -e") || operands.every((word) => word.kind === "literal" && isFileOrCommit(word)));
    return isNamed ? undefined : shown("not heeded"); // `--batch` takes names from its input
  }
  const isFileOfCommit = ({ kind, text }: Word) => kind === "literal" && parseRevisionPath(text) !== undefined;
  if (name === "show" && operands.length > 0 && operands.every(isFileOfCommit))
    return words.every(({ text }) => /^[^-]|^--(no-)?(color|textconv)/.test(text)) ? undefined : shown("not heeded"); // `--all` adds commits
  const isAll =
    name === "merge-tree" ||
    (name === "bundle" && words[0]?.text === "create") ||
    (isOneOf("show diff grep archive") && operands.some(isObject)) || // `git diff ID FILE` prints the object, too
    (name === "status" && printsDiff(name, words)) || // git applies no pathspecs to these changes
    (name === "notes" && words.some(isObject)) ||
    (isOneOf("tag branch for-each-ref") && words.some(({ text }) => /%\(\*?raw/.test(text)));
  if (isAll) return shown("not heeded");
  const isChosen =
    (isOneOf("blame annotate") && operands.some(isOpen)) ||
    (isOneOf("show diff range-diff archive format-patch bundle") && (isPatch || !hasOne(SUMMING))) ||
    (isOneOf("log whatchanged diff-tree diff-index diff-files reflog") && isPatch) ||
    printsDiff(name, words) ||
    (name === "stash" && isPatch && /^(show|list)$/.test(words[0]?.text ?? "")) ||
    (name === "stash" && words[0]?.text === "show" && !words.slice(1).every(isOperand) && !hasOne(SUMMING)); // any flag makes it print a patch
  if (isChosen) return shown();
  return hasOne("-S -G") ? { ...shown(), isNaming: true } : undefined;
}

const NAMING = "-l -L -c -q --files-with-matches --name-only --count";
const PATCH = "--binary --check -p -u -U -W -c -m -L --cc --patch --unified --function-context --word-diff --word-diff-regex";
const SUMMING =
  "-s -q --no-patch --quiet --stat --numstat --shortstat --name-only --name-status --summary --raw --compact-summary --dirstat";

/** True for an object that is named by its ID. It may be the content of any file. */
const isObject = (word: Word): boolean =>
  /(^|-g|=)[0-9a-f]{4,64}(\^\{\w*\})*$/i.test(word.text) &&
  !(word.kind === "literal" && word.written !== undefined && word.text === A_COMMIT);

/** True for the file of a commit, and for a name that is surely a commit. A tag may be the content of a file. */
const isFileOrCommit = (word: Word): boolean =>
  !isObject(word) && (parseRevisionPath(word.text) !== undefined || /^((HEAD|@)([~^@].*)?|commit|tree|blob|tag)$/.test(word.text));

const isOperand = ({ text }: Word): boolean => !text.startsWith("-");

const isOpen = ({ kind }: Word): boolean => kind === "open";

const isThere = ({ kind, text }: Word, folder: string): boolean => kind === "literal" && exists(path.resolve(folder, text));
