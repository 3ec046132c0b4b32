import { existsSync } from "node:fs";
import path from "node:path";
import type { GatedAccess } from "@baton/core/permission/judge";
import type { GateFindings } from "../gate-findings.ts";
import { createdSecrets, takesUnknownFiles, rememberCreatedFiles } from "../files/created-files.ts";
import { meetsLink } from "../files/new-links.ts";
import { defaultAllowRule, pathWordAccesses, readOf } from "../files/path-accesses.ts";
import { isFreeScratch, isScratch } from "../files/scratch-files.ts";
import type { NamedPath } from "../programs/program-types.ts";
import type { ShellContext } from "./shell-context.ts";
import type { Word } from "../words/word.ts";

/** Adds the accesses of a path, or a doubt if the path is not known. */
export function judgePath(named: NamedPath, context: ShellContext, findings: GateFindings): void {
  if (findings.links.size > 0 && meetsLink(named, context, findings.links))
    findings.doubts.add("goes through a link that the text itself makes");
  if (findings.brings && isMissing(named, context, findings)) findings.doubts.add("uses a file that the text itself may bring as a link");
  const touched = pathWordAccesses(named, context);
  if ("doubt" in touched) findings.doubts.add(touched.doubt);
  else if (!isScratchFile(named, context, findings)) findings.accesses.push(...touched);
  else for (const access of touched) findings.accesses.push(writtenToScratch(named, inScratchFolder(access), context, findings));
  for (const file of createdSecrets(named, context, findings)) findings.accesses.push(...readOf(file, context));
  if (takesUnknownFiles(named, context, findings)) findings.doubts.add("copies or moves files whose names are known only when it runs");
  rememberCreatedFiles(named, context, findings);
}

const isScratchFile = ({ word, use }: NamedPath, { cwds }: ShellContext, { made }: GateFindings): boolean =>
  word.kind === "literal" && cwds.every((cwd) => isScratch(path.resolve(cwd, word.text), use, made));

/** Allows the folder of a scratch file, so that it raises no separate question. Rules about the folder and about the file still apply. */
const inScratchFolder = (access: GatedAccess): GatedAccess =>
  access.action === "external_directory" && access.resource !== "/"
    ? { ...access, gateRule: defaultAllowRule(access, "scratch file") }
    : access;

/** Allows a scratch file that a command writes as a side effect, until a later command does more than read it. */
function writtenToScratch(
  { word, use }: NamedPath,
  access: GatedAccess,
  { place, cwds }: ShellContext,
  { scratch }: GateFindings,
): GatedAccess {
  if (access.action !== "edit" || use !== "writes" || !cwds.every((cwd) => isFreeScratch(path.resolve(cwd, word.text), place.workspace)))
    return access;
  const allowed: GatedAccess = { ...access, gateRule: defaultAllowRule(access, "scratch file") };
  scratch.set(path.basename(word.text), [...(scratch.get(path.basename(word.text)) ?? []), allowed]);
  return allowed;
}

/** Withdraws the permission for a scratch file that a command does more with than read it. The user has to see its content. */
export function handOver(words: readonly Word[], { scratch, accesses }: GateFindings): void {
  for (const [name, written] of scratch)
    if (words.some(({ text }) => text.includes(name)))
      for (const access of written) {
        const at = accesses.indexOf(access);
        const { gateRule: _, ...rest } = access;
        if (at >= 0) accesses[at] = rest;
      }
}

/** True if a path that is read or changed does not exist yet and the text does not create it. */
const isMissing = ({ word, use }: NamedPath, { cwds }: ShellContext, { made }: GateFindings): boolean =>
  word.kind === "literal" &&
  use !== "names" &&
  use !== "mentions" &&
  cwds.some((cwd) => !existsSync(path.resolve(cwd, word.text)) && !made.has(path.resolve(cwd, word.text)));
