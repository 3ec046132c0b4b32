import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { attempt } from "../files/path-on-disk.ts";
import { gitFolder, gitlinksIn, repositoryOf } from "./git-index.ts";

/**
 * Returns the `.git` folders with settings that a call of git follows and that may have come with a package or an archive: of a repository
 * below the workspace, and, if a subcommand `entersKept`, of those that the repository keeps like submodules. Git itself stores the settings
 * of submodules in its own folder.
 */
export function nestedRepositories(folder: string, workspace: string, entersKept: boolean): string[] {
  const found = repositoryOf(folder);
  const nearest = found && found.root !== workspace && found.root.startsWith(`${workspace}/`) ? [found.place] : [];
  const kept = entersKept ? gitlinksIn(folder).flatMap((link) => gitFolder(path.join(link, ".git")) ?? []) : [];
  if (nearest.length + kept.length === 0) return [];
  const own = repositoryOf(workspace)?.place;
  return [...nearest, ...kept].filter((place) => own === undefined || (place !== own && !place.startsWith(`${own}/`)));
}

/** True if the settings of a repository name no program, and if it has no hook that a reading subcommand runs. */
export function isHarmlessRepository(folder: string): boolean {
  const place = path.resolve(folder, attempt(() => readFileSync(path.join(folder, "commondir"), "utf8").trim()) ?? ""); // as in a worktree
  const settings = attempt(() => readFileSync(path.join(place, "config"), "utf8")) ?? "";
  let section = "";
  for (const line of settings.split(/\r?\n/)) {
    const [, opened] = /^\s*\[(\w+)(?: "[^"\\]*")?\]\s*$/.exec(line) ?? [];
    const [, name = "", value = ""] = /^\s*([\w-]+)\s*=([^\\!]*)$/.exec(line) ?? [];
    if (opened !== undefined) section = opened.toLowerCase();
    else if (`${section}.${name}`.toLowerCase() === "core.hookspath") {
      if (!/^ ?[\w./-]+$/.test(value) || HOOKS.some((hook) => existsSync(path.resolve(path.dirname(place), value.trim(), hook))))
        return false;
    } else if (!/^\s*([#;].*|fsmonitor\s*=\s*(true|false)\s*)?$/i.test(line) && !HARMLESS.test(`${section}.${name}`.toLowerCase()))
      return false;
  }
  return !HOOKS.some((hook) => existsSync(path.join(place, "hooks", hook)));
}

/** Hooks that `git status` and similar subcommands run. Source: githooks(5). */
const HOOKS = ["post-index-change", "reference-transaction"];

/**
 * Settings that `git clone` and everyday use leave behind. None of them names a program that a reading subcommand runs, or an address that
 * it fetches missing objects from, as a partial clone does.
 */
const HARMLESS =
  /^(core\.(repositoryformatversion|filemode|bare|logallrefupdates|ignorecase|precomposeunicode|symlinks|autocrlf|eol|longpaths|quotepath|sparsecheckout(cone)?|untrackedcache|splitindex|preloadindex|commitgraph)|remote\.(url|fetch|pushurl|tagopt|prune|gh-resolved)|branch\.[\w-]+|user\.(name|email)|(pull|push|init|merge|rebase|commit)\.(rebase|ff|default|autosetupremote|followtags|defaultbranch|autostash|gpgsign|conflictstyle)|submodule\.(active|url|update|recurse)|extensions\.(objectformat|refstorage)|lfs\.(repositoryformatversion|access)|maintenance\.\w+|gc\.auto|fetch\.(prune|parallel)|index\.version|feature\.manyfiles|rerere\.enabled|status\.\w+)$/;
