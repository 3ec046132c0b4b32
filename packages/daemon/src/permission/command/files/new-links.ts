import path from "node:path";
import type { ProgramEffects, NamedPath } from "../programs/program-types.ts";
import type { ShellContext } from "../shell/shell-context.ts";
import { holdsLinks, namesOfPattern } from "./path-accesses.ts";
import type { Word } from "../words/word.ts";

/**
 * Returns places that a call creates and whose content is known only when it runs: links, moved or copied links, and additional
 * worktrees of a repository. Each place is listed under the name in the call and under its real path.
 */
export const linksMade = (base: string, effects: ProgramEffects, context: ShellContext): string[] =>
  newPlaces(base, effects, context).flatMap((link) => [link, realPath(link, context)]);

function newPlaces(base: string, effects: ProgramEffects, context: ShellContext): string[] {
  if (base === "ln") return linksOf(effects, context);
  if (!/^(mv|cp|rsync|git)$/.test(base)) return [];
  const filled = effects.paths.filter(({ search }) => base === "git" && search?.fills);
  const sources = sourcesIn(effects.paths.find(({ from }) => from)?.from ?? [], context);
  const holdsLink = sources.some((source) => context.cwds.some((cwd) => holdsLinks(path.resolve(cwd, source))));
  return [
    ...filled.flatMap(({ word }) => context.cwds.map((cwd) => path.resolve(cwd, word.text))),
    ...(holdsLink ? linksOf(effects, context) : []),
  ];
}

/** Returns the names of sources. A pattern stands for all that it matches. */
const sourcesIn = (words: readonly Word[], { cwds }: ShellContext): string[] =>
  words.flatMap((word) => (word.kind === "pattern" ? (namesOfPattern(word, cwds) ?? []) : [word.text]));

/** Returns the paths of the links that a call of `ln` creates: the given name, or the names of the targets in the given folder. */
function linksOf({ paths }: ProgramEffects, context: ShellContext): string[] {
  const { cwds } = context;
  const target = paths.find(({ from }) => from);
  const sources = target?.from ?? paths.map(({ word }) => word);
  const names = sourcesIn(sources, context).map((source) => path.basename(source));
  const at = target?.word.text;
  return cwds.flatMap((cwd) =>
    at === undefined
      ? names.map((name) => path.join(cwd, name))
      : [path.resolve(cwd, at), ...names.map((name) => path.resolve(cwd, at, name))],
  );
}

/** True if a path leads through one of these links, or if a search of the path may reach one. */
export function meetsLink({ word, use, search }: NamedPath, context: ShellContext, links: ReadonlySet<string>): boolean {
  if (word.kind === "open") return false;
  const start = word.kind === "pattern" ? path.dirname(word.text.replace(/[*?[{].*$/s, "x")) : word.text;
  const goesBelow =
    word.kind === "pattern" || use === "searches" || search?.follows === true || search?.tree === true || search?.fills === true;
  return context.cwds.some((cwd) => {
    const place = path.resolve(cwd, start);
    return [place, realPath(place, context)].some(
      (each) => leadsThrough(each, links) || (goesBelow && [...links].some((link) => link.startsWith(`${each}/`))),
    );
  });
}

/** Returns the real path, as far as it exists. */
function realPath(file: string, { place }: ShellContext): string {
  const gated = place.gatePath(file);
  return "refused" in gated ? file : gated.real;
}

/** True if a path is one of these links or leads through one. */
export const leadsThrough = (file: string, links: ReadonlySet<string>): boolean =>
  [...links].some((link) => file === link || file.startsWith(`${link}/`));
