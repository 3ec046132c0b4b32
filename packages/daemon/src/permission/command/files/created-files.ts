import path from "node:path";
import { matchesWildcard } from "@baton/core/permission/wildcard";
import { copiedTo } from "./copied-files.ts";
import { finalPath, isBelow, pathKind, realPath } from "./path-on-disk.ts";
import { holdsKeys, isSecretFile } from "./key-files.ts";
import { CHANGING, copiesOfRounds, copiesTooMany, sourcesOf } from "./path-accesses.ts";
import type { GateFindings } from "../gate-findings.ts";
import { isFromNetwork } from "../programs/shell-program.ts";
import type { NamedPath } from "../programs/program-types.ts";
import type { ShellContext } from "../shell/shell-context.ts";
import { resolvePath } from "./physical-path.ts";

const MAX_MADE = 4_000;
/** A program that an earlier command of the text may build. */
const BUILT = /\/target\/(\w+\/)+[\w-]+$/;

/** Remembers the files that a path access creates. The same text may copy or move them later, but they are not on the disk yet. */
export function rememberCreatedFiles(path: NamedPath, context: ShellContext, findings: GateFindings): void {
  for (const each of copiesOfRounds(path)) rememberCopies(each, context, findings);
}

function rememberCopies({ word, use, search, from, isDownload }: NamedPath, context: ShellContext, findings: GateFindings): void {
  const { made, computed, edited, filled, downloaded, origins } = findings;
  if (!CHANGING.has(use)) return;
  for (const cwd of context.cwds) {
    const sources = sourcesOf(from ?? [], cwd, context);
    const targets = sourcesOf([word], cwd, context).map((each) => path.resolve(each));
    if (copiesTooMany(targets, sources, context)) continue; // the gate asks about so many
    for (const target of targets) {
      if (target.startsWith("/dev/") || (word.kind === "pattern" && /[*?]/.test(target))) continue; // the pattern matches nothing
      const copied = copiedTo(target, sources, made); // it depends on whether the text has made the target before
      context.place.copies.files += copied.files.length;
      for (const file of [target, finalPath(target, context.place.realFolders)]) {
        made.add(file);
        if (!context.isShown) computed.add(file);
        if (context.isEdit) edited.add(file);
      }
      if (search?.fills) filled.add(target);
      if (isDownload || isFromNetwork(context.upstream)) downloaded.add(target);
      for (const source of sources
        .map((each) => path.resolve(each))
        .filter((each) => made.has(each) || BUILT.test(each) || pathKind(each) !== "nothing"))
        for (const at of [target, path.join(target, path.basename(source))]) {
          origins.set(at, origins.get(source) ?? realPath(source) ?? source);
          if (downloaded.has(source)) downloaded.add(at);
        }
      if (made.size >= MAX_MADE && sources.some((source) => mayHaveChanged(path.resolve(source), { made })))
        findings.doubts.add("makes more files than can be judged");
      for (const file of copied.files) if (made.size < MAX_MADE) for (const files of [made, computed]) files.add(file);
    }
  }
}

/** True if the text may have changed what is at a path: the file, a folder around it, or something below it. */
export const mayHaveChanged = (file: string, { made }: { made: ReadonlySet<string> }): boolean =>
  [...made].some((each) => isBelow(each, file) || isBelow(file, each));

/** Returns files with keys that a search or a read of a path finds only because the text has moved or copied them there, or their sources. */
export function createdSecrets({ word, use }: NamedPath, { cwds }: ShellContext, { made, origins }: GateFindings): string[] {
  if (word.kind === "open" || !/^(reads|searches|moves)$/.test(use)) return [];
  const places = cwds.map((cwd) => resolvePath(cwd, word.text));
  const sourcesOfFile = (file: string) => [...origins].flatMap(([at, from]) => (isBelow(file, at) ? from + file.slice(at.length) : []));
  const isAmong = (file: string, place: string) => (word.kind === "pattern" ? matchesWildcard(place, file) : isBelow(file, place));
  return [...made, ...places]
    .filter((file) => places.some((place) => isAmong(file, place)))
    .flatMap((file) => [...(made.has(file) && isSecretFile(file) ? [file] : []), ...sourcesOfFile(file).filter((each) => holdsKeys(each))]);
}

/** True if a path is copied or moved from a folder that the text fills with files of unknown names. */
export const takesUnknownFiles = ({ from = [] }: NamedPath, context: ShellContext, { filled }: GateFindings): boolean =>
  context.cwds.some((cwd) => sourcesOf(from, cwd, context).some((source) => mayHaveChanged(source, { made: filled })));
