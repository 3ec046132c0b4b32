import path from "node:path";
import type { GatedAccess } from "@baton/core/permission/judge";
import type { GateFindings } from "../gate-findings.ts";
import { createdSecrets, takesUnknownFiles, rememberCreatedFiles } from "../files/created-files.ts";
import { meetsLink } from "../files/new-links.ts";
import { defaultAllowRule, pathWordAccesses, readOf, sourcesOf } from "../files/path-accesses.ts";
import { exists, isBelow } from "../files/path-on-disk.ts";
import { isFreeScratch, isScratch } from "../files/scratch-files.ts";
import type { NamedPath } from "../programs/program-types.ts";
import type { ShellContext } from "./shell-context.ts";
import { literal, type Word } from "../words/word.ts";
import { resolvePath } from "../files/physical-path.ts";

/** Adds the accesses of a path, or a doubt if the path is not known. */
export function judgePath(named: NamedPath, context: ShellContext, findings: GateFindings): void {
  if (findings.links.size > 0 && meetsLink(named, context, findings.links))
    findings.doubts.add("goes through a link that the text itself makes");
  if (findings.brings && isMissing(named, context, findings)) findings.doubts.add("uses a file that the text itself may bring as a link");
  const touched = pathWordAccesses(named, context);
  if ("doubt" in touched) findings.doubts.add(touched.doubt);
  else if (!isScratchFile(named, context, findings)) findings.accesses.push(...touched);
  else findings.accesses.push(...touched.map((access) => allowScratch(named, access, context)));
  for (const file of createdSecrets(named, context, findings)) findings.accesses.push(...readOf(file, context));
  if (takesUnknownFiles(named, context, findings)) findings.doubts.add("copies or moves files whose names are known only when it runs");
  rememberCreatedFiles(named, context, findings);
  if (named.word.kind === "literal" && named.word.emptied) judgePath({ ...named, word: literal(named.word.emptied) }, context, findings);
}

/** Remembers what a call moves. Adds a doubt if it moves the folder in which the shell is, because `..` is then the parent of the new place. */
export function judgeMove({ word }: NamedPath, context: ShellContext, findings: GateFindings): void {
  const sources = context.cwds.flatMap((cwd) => sourcesOf([word], cwd, context)).map((source) => path.resolve(source));
  for (const source of sources) findings.moved.add(source);
  judgeMovedFolders(context.cwds, sources, findings);
}

/** Adds a doubt if the shell may be in one of these folders while the text moves it, or a folder around it. */
export function judgeMovedFolders(folders: Iterable<string>, moved: Iterable<string>, { doubts }: GateFindings): void {
  if ([...folders].some((folder) => [...moved].some((source) => isBelow(folder, source))))
    doubts.add("moves the folder in which the shell is");
}

const isScratchFile = ({ word, use }: NamedPath, { cwds }: ShellContext, { made }: GateFindings): boolean =>
  word.kind === "literal" && cwds.every((cwd) => isScratch(resolvePath(cwd, word.text), use, made));

const SCRATCH = "scratch file";

/**
 * Allows the folder of a scratch file, so that it raises no separate question, and the file itself if a command writes it as a side effect.
 * Rules about the folder and about the file still apply.
 */
function allowScratch({ word, use }: NamedPath, access: GatedAccess, { place, cwds }: ShellContext): GatedAccess {
  const isFree = use === "writes" && cwds.every((cwd) => isFreeScratch(resolvePath(cwd, word.text), place.workspace));
  const isAllowed = access.action === "edit" ? isFree : access.action === "external_directory" && access.resource !== "/";
  return isAllowed ? { ...access, gateRule: defaultAllowRule(access, SCRATCH) } : access;
}

/** Withdraws the permission for a scratch file that a command does more with than read it. The user has to see its content. */
export function handOver(words: readonly Word[], { accesses }: GateFindings): void {
  for (const [i, { gateRule, ...access }] of accesses.entries()) {
    const isScratch = access.action === "edit" && gateRule?.source === SCRATCH;
    if (isScratch && words.some(({ text }) => text.includes(path.basename(access.resource)))) accesses[i] = access;
  }
}

/** True if a path that is read or changed does not exist yet and the text does not create it. A pattern may match such a path. */
const isMissing = ({ word, use }: NamedPath, { cwds }: ShellContext, { made }: GateFindings): boolean =>
  use !== "names" &&
  use !== "mentions" &&
  (word.kind === "pattern" ||
    (word.kind === "literal" && cwds.map((cwd) => resolvePath(cwd, word.text)).some((file) => !exists(file) && !made.has(file))));
