import path from "node:path";
import type { ProgramEffects, NamedPath } from "../programs/program-types.ts";
import type { ShellContext } from "../shell/shell-context.ts";
import { holdsLinks, sourcesOf } from "./path-accesses.ts";
import { isBelow, isLink } from "./path-on-disk.ts";
import { resolvePath } from "./physical-path.ts";

/**
 * Returns places whose content is known only when it runs after a call: new links, moved or copied links, links that the call removes, and
 * additional worktrees of a repository. `links`: such places before. Each place is listed under the name in the call and under its real path.
 */
export function linksMade(base: string, { paths }: ProgramEffects, context: ShellContext, links: ReadonlySet<string>): string[] {
  if (!/^(ln|link|mv|cp|ditto|rsync|git|rm|unlink)$/.test(base) && !paths.some(({ use }) => use === "moves")) return [];
  const target = paths.find(({ from }) => from);
  const filled = base === "git" ? paths.filter(({ search }) => search?.fills) : [];
  const isMoved = (source: string) => holdsLinks(source) || [...links].some((link) => isBelow(link, path.resolve(source)));
  const places = context.cwds.flatMap((cwd) => {
    const sources = sourcesOf(target?.from ?? (base === "ln" ? paths.map(({ word }) => word) : []), cwd, context);
    const at = resolvePath(cwd, target?.word.text ?? ".");
    const made = [...(target ? [at] : []), ...sources.map((source) => path.join(at, path.basename(source)))];
    const changed = paths.flatMap(({ word, use }) => (use === "edits" || use === "moves" ? sourcesOf([word], cwd, context) : []));
    const removed = base === "cp" || base === "rsync" ? [] : changed.map((file) => path.resolve(file)).filter(isLink);
    return [...(base === "ln" || sources.some(isMoved) ? made : []), ...removed, ...filled.map(({ word }) => resolvePath(cwd, word.text))];
  });
  return places.flatMap((link) => [link, realPath(link, context)]);
}

/** True if a path leads through one of these links, or if a search of the path may reach one. */
export function meetsLink({ word, use, search }: NamedPath, context: ShellContext, links: ReadonlySet<string>): boolean {
  if (word.kind === "open") return false;
  const start = word.kind === "pattern" ? path.dirname(word.text.replace(/[*?[{].*$/s, "x")) : word.text;
  const goesBelow =
    word.kind === "pattern" || use === "searches" || search?.follows === true || search?.tree === true || search?.fills === true;
  return context.cwds.some((cwd) => {
    if (turnsBack(start, cwd, links)) return true;
    const place = resolvePath(cwd, start);
    return [place, realPath(place, context)].some((each) =>
      [...links].some((link) => isBelow(each, link) || (goesBelow && isBelow(link, each))),
    );
  });
}

/** True if a path has `..` behind one of these links. It leads to the parent of the target. */
export const turnsBack = (name: string, cwd: string, links: ReadonlySet<string>): boolean =>
  name.split("/").some((part, i, parts) => part === ".." && i > 0 && leadsThrough(path.resolve(cwd, parts.slice(0, i).join("/")), links));

/** Returns the real path, as far as it exists. */
function realPath(file: string, { place }: ShellContext): string {
  const gated = place.gatePath(file);
  return "refused" in gated ? file : gated.real;
}

/** True if a path is one of these links or leads through one. */
export const leadsThrough = (file: string, links: ReadonlySet<string>): boolean => [...links].some((link) => isBelow(file, link));
