import path from "node:path";
import { matchesWildcard } from "@baton/core/permission/wildcard";
import { copiedTo } from "./copied-files.ts";
import { finalPath } from "./path-on-disk.ts";
import { isSecretFile } from "./find-secrets.ts";
import { CHANGING, sourcesOf } from "./path-accesses.ts";
import type { GateFindings } from "../gate-findings.ts";
import { NETWORK_PROGRAMS } from "../programs/shell-program.ts";
import type { NamedPath } from "../programs/program-types.ts";
import type { ShellContext } from "../shell/shell-context.ts";
import { literal, type Word } from "../words/word.ts";

const MAX_MADE = 4_000;

/** Remembers the files that a path access creates. The same text may copy or move them later, but they are not on the disk yet. */
export function rememberCreatedFiles({ word, use, search, from }: NamedPath, context: ShellContext, findings: GateFindings): void {
  const { made, computed, filled, downloaded, origins } = findings;
  if (!CHANGING.has(use)) return;
  for (const cwd of context.cwds) {
    const sources = sourcesOf(from ?? [], cwd, context);
    for (const target of sourcesOf([word], cwd, context).map((each) => path.resolve(each))) {
      if (target.startsWith("/dev/") || (word.kind === "pattern" && /[*?]/.test(target))) continue; // the pattern matches nothing
      for (const file of [target, finalPath(target, context.place.realFolders)]) {
        made.add(file);
        if (!context.isShown) computed.add(file);
      }
      if (search?.fills) filled.add(target);
      if (context.upstream.some((program) => NETWORK_PROGRAMS.has(program))) downloaded.add(target);
      for (const source of sources.map((each) => path.resolve(each)))
        for (const at of [target, path.join(target, path.basename(source))]) origins.set(at, origins.get(source) ?? source);
      for (const source of sources.map((each) => path.resolve(each)))
        if (downloaded.has(source)) for (const at of [target, path.join(target, path.basename(source))]) downloaded.add(at);
      for (const file of copiedTo(target, sources).files) if (made.size < MAX_MADE) for (const files of [made, computed]) files.add(file);
    }
  }
}

/** True if the text may have changed what is at a path: the file, a folder around it, or something below it. */
export const mayHaveChanged = (file: string, { made }: Pick<GateFindings, "made">): boolean =>
  [...made].some((each) => isBelow(each, file) || isBelow(file, each));

/** Returns files with keys that a search or a read of a path finds only because the text has moved or copied them there. */
export function createdSecrets({ word, use }: NamedPath, { cwds }: ShellContext, { made }: GateFindings): string[] {
  if (word.kind === "open" || !/^(reads|searches|moves)$/.test(use)) return [];
  const places = cwds.map((cwd) => path.resolve(cwd, word.text));
  return [...made].filter(
    (file) => isSecretFile(file) && places.some((place) => (word.kind === "pattern" ? matchesWildcard(place, file) : isBelow(file, place))),
  );
}

/** Returns the additional files that a copy or a move writes: files that the text created before, or files in a folder that it created. */
export function movedCreatedFiles(
  { word, from }: NamedPath,
  context: ShellContext,
  findings: GateFindings,
): NamedPath[] | { doubt: string } {
  if (!from || word.kind !== "literal" || findings.made.size === 0) return [];
  const named = new Set<string>();
  for (const cwd of context.cwds) {
    const target = path.resolve(cwd, word.text);
    for (const source of from) {
      const place = placeOf(source, cwd);
      if (place === undefined) continue;
      if ([...findings.filled].some((folder) => isBelow(folder, place.folder) || isBelow(place.folder, folder)))
        return { doubt: "copies or moves files whose names are known only when it runs" };
      const bases = source.kind === "pattern" ? [target] : [target, path.join(target, path.basename(place.folder))];
      if (findings.made.has(target)) named.add(bases.at(-1) ?? target);
      for (const file of findings.made)
        if (file !== place.folder && isBelow(file, place.folder))
          for (const base of bases) named.add(path.join(base, path.relative(place.folder, file)));
      if (named.size > MAX_MADE) return { doubt: "moves more files than can be judged" };
    }
    // In a target folder that the text creates, a source folder keeps its own name.
    if (findings.made.has(target)) for (const file of copiedTo(`${target}/`, sourcesOf(from, cwd, context)).files) named.add(file);
  }
  return [...named].map((file) => ({ word: literal(file), use: "edits" }));
}

/** Returns the path that a source names, or the folder in which a pattern searches. */
function placeOf({ kind, text }: Word, cwd: string): { folder: string } | undefined {
  if (kind === "open") return undefined;
  return { folder: path.resolve(cwd, kind === "pattern" ? path.dirname(text.replace(/[*?[{].*$/s, "x")) : text) };
}

const isBelow = (file: string, folder: string): boolean => file === folder || file.startsWith(`${folder}/`);
