import path from "node:path";
import { lstatOf } from "../../disk-view.ts";
import { attempt, foldersFrom, isBelow, pathKind, realPath, readText } from "../files/path-on-disk.ts";
import { entriesOf } from "../files/walk-folder.ts";
import type { Places, ShellContext } from "../shell/shell-context.ts";
import type { Word } from "../words/word.ts";
import { gitFolder, gitlinksIn, repositoryOf } from "./git-index.ts";
import { resolvePath } from "../files/physical-path.ts";

/**
 * Returns why git would use settings that came with the files, if it would. Git takes a folder with `HEAD`, `objects` and
 * `refs` for a repository. It then follows the `config` there, which may name programs. Any cloned repository can contain
 * such a folder. Source: the description of `safe.bareRepository` in git-config(1).
 */
export function bareRepositoryReason(words: readonly Word[], context: Places, made: ReadonlySet<string>): string | undefined {
  const { workspace } = context.place;
  const folders = [...new Set(foldersOf(words, context))];
  const verb = words.find(({ text }, i) => !text.startsWith("-") && !/^-[Cc]$/.test(words[i - 1]?.text ?? ""))?.text ?? "";
  const entersKept = !IN_ONE_REPOSITORY.test(verb);
  const found =
    folders.map((folder) => bareAbove(folder, [...made])).find((folder) => folder !== undefined) ??
    folders.flatMap((folder) => nestedRepositories(folder, workspace, entersKept)).find((nested) => !isHarmlessRepository(nested, verb));
  return found === undefined ? undefined : `git takes ${found} for a repository, and does what the settings in it say`;
}

/** Subcommands that never enter the repositories that a repository keeps, such as its submodules. */
const IN_ONE_REPOSITORY =
  /^(log|show|blame|branch|rev-parse|ls-files|ls-tree|tag|remote|config|cat-file|for-each-ref|rev-list|merge-base|reflog|shortlog)$/;

const isFile = (file: string): boolean => pathKind(file) === "file";

/** Returns the folders in which a git call with these words may work. Git follows the symlinks to its folder first. */
export const foldersOf = (words: readonly Word[], { cwds }: Pick<ShellContext, "cwds">): string[] =>
  cwds.map((cwd) => placesOf(words).reduce(resolvePath, cwd)).map((folder) => realPath(folder) ?? folder);

/** Returns the values of `-C`, in order. */
const placesOf = (words: readonly Word[]): string[] => words.flatMap(({ text }, i) => (words[i - 1]?.text === "-C" ? [text] : []));

/** Returns the folder, or the nearest one above it, that git would take for a repository without a `.git`. The text may make it. */
function bareAbove(folder: string, made: readonly string[]): string | undefined {
  const isOrdinary = (at: string) => isFile(path.join(at, ".git")) || isBare(path.join(at, ".git"), made);
  const found = foldersFrom(folder).find((at) => isOrdinary(at) || isBare(at, made));
  return found === undefined || isOrdinary(found) ? undefined : found;
}

/**
 * True if git may take the folder for a repository. Git only checks whether it may enter `objects` and `refs`, and an
 * executable file passes this check as well, and so does a link that leads nowhere. A file `commondir` names another folder that has both. Source:
 * gitrepository-layout(5), `is_git_directory` in setup.c.
 */
function isBare(folder: string, made: readonly string[]): boolean {
  const has = (name: string) => {
    const file = path.join(folder, name);
    return attempt(() => lstatOf(file)) !== undefined || made.some((each) => isBelow(each, file));
  };
  return has("HEAD") && ["commondir", "objects", "refs"].some(has);
}

/**
 * Returns the `.git` folders with settings that a call of git follows and that may have come with a package or an archive: of a repository
 * below the workspace, and, if a subcommand `entersKept`, of those that the repository keeps like submodules. Git itself stores the settings
 * of submodules in its own folder.
 */
function nestedRepositories(folder: string, workspace: string, entersKept: boolean): string[] {
  const found = repositoryOf(folder);
  const nearest = found && found.root !== workspace && found.root.startsWith(`${workspace}/`) ? [found.place] : [];
  const kept = entersKept ? gitlinksIn(folder).flatMap((link) => gitFolder(path.join(link, ".git")) ?? []) : [];
  if (nearest.length + kept.length === 0) return [];
  const own = repositoryOf(workspace)?.place;
  return [...nearest, ...kept].filter((place) => own === undefined || !isBelow(place, own));
}

/** True if the settings of a repository name no program, and if it has no hook that the subcommand may run. */
function isHarmlessRepository(folder: string, verb: string): boolean {
  const isRun = (hook: string) => (READING.test(verb) || IN_ONE_REPOSITORY.test(verb) ? HOOKS.has(hook) : !hook.endsWith(".sample"));
  const holdsHook = (hooks: string) => entriesOf(hooks).some(({ name }) => isRun(name));
  const place = path.resolve(folder, readText(path.join(folder, "commondir"))?.trim() ?? ""); // as in a worktree
  let section = "";
  for (const line of (readText(path.join(place, "config")) ?? "").split(/\r?\n/)) {
    const [, opened] = /^\s*\[(\w+)(?: "[^"\\]*")?\]\s*$/.exec(line) ?? [];
    const [, name = "", value = ""] = /^\s*([\w-]+)\s*=([^\\!]*)$/.exec(line) ?? [];
    if (opened !== undefined) section = opened.toLowerCase();
    else if (`${section}.${name}`.toLowerCase() === "core.hookspath") {
      if (!/^ ?[\w./-]+$/.test(value) || holdsHook(path.resolve(path.dirname(place), value.trim()))) return false;
    } else if (!/^\s*([#;].*|fsmonitor\s*=\s*(true|false)\s*)?$/i.test(line) && !HARMLESS.test(`${section}.${name}`.toLowerCase()))
      return false;
  }
  return !holdsHook(path.join(place, "hooks"));
}

/** Other subcommands that only read, and the hooks that these run. Source: githooks(5). */
const READING = /^(status|diff|grep|describe|check-ignore|ls-remote)?$/;
const HOOKS: ReadonlySet<string> = new Set(["post-index-change", "reference-transaction"]);

/**
 * Settings that `git clone` and everyday use leave behind. None of them names a program that a reading subcommand runs, or an address that
 * it fetches missing objects from, as a partial clone does.
 */
const HARMLESS =
  /^(core\.(repositoryformatversion|filemode|bare|logallrefupdates|ignorecase|precomposeunicode|symlinks|autocrlf|eol|longpaths|quotepath|sparsecheckout(cone)?|untrackedcache|splitindex|preloadindex|commitgraph)|remote\.(url|fetch|pushurl|tagopt|prune|gh-resolved)|branch\.[\w-]+|user\.(name|email)|(pull|push|init|merge|rebase|commit)\.(rebase|ff|default|autosetupremote|followtags|defaultbranch|autostash|gpgsign|conflictstyle)|submodule\.(active|url|update|recurse)|extensions\.(objectformat|refstorage)|lfs\.(repositoryformatversion|access)|maintenance\.\w+|gc\.auto|fetch\.(prune|parallel)|index\.version|feature\.manyfiles|rerere\.enabled|status\.\w+)$/;
