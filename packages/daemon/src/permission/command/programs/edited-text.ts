import { readFileSync, statSync } from "node:fs";
import path from "node:path";
import { mayHaveChanged } from "../files/created-files.ts";
import { attempt } from "../files/path-on-disk.ts";
import type { GateFindings } from "../gate-findings.ts";
import type { ShellContext } from "../shell/shell-context.ts";
import { isCertain, type Word } from "../words/word.ts";
import type { ProgramEffects } from "./program-types.ts";

/** A plain substitution. Its pattern means the same to sed, Perl and JavaScript. */
const SUBSTITUTION = /^\s*s([/|#,@])(?!\1)(\^?(?:(?!\1)[\w ,:=/@"'-]|\.\*?)*\$?)\1((?:(?!\1)[\w .,:=/@"'-])*)\1(g?)\s*$/;
const FLAG = /^(-[Er]*i(\.\w+)?|-[Er]+|-pi(\.\w+)?|--in-place|-e)?$/;
const MAX_BYTES = 100_000;
const MAX_TEXTS = 64;

/**
 * Applies `sed -i` or `perl -pi -e` to the texts that the command has written so far, and to files on the disk. Adds the results to the written
 * texts. False if they are not certain.
 */
export function showsEdit(words: readonly Word[], { paths }: ProgramEffects, { cwds }: ShellContext, findings: GateFindings): boolean {
  const { brings, origins, written } = findings;
  const files = paths.filter(({ use }) => use === "edits").map(({ word }) => word);
  const scripts = words.filter((word) => !files.includes(word) && !FLAG.test(word.text)).map(({ text }) => text);
  const parts = scripts.flatMap((script) => script.split(/[;\n]/));
  const edits = parts.map((part) => SUBSTITUTION.exec(part)).filter((each) => each !== null);
  const isPlain = words.every((word) => word.kind === "literal" && isCertain(word)) && edits.length === parts.length;
  const count = Math.max(words.filter(({ text }) => text === "-e").length, 1);
  if (!isPlain || scripts.length !== count || brings || written.length > MAX_TEXTS) return false;
  const onDisk = cwds.flatMap((cwd) =>
    files.map(({ text: name }) => {
      const file = path.resolve(cwd, name);
      return { file, files: [path.basename(file)], text: textOnDisk(origins.get(file) ?? file), isKnown: true, isOnDisk: true };
    }),
  );
  const isWritten = (file: string) => written.some(({ files: own }) => own?.includes(path.basename(file)) !== false);
  if (onDisk.some(({ text, file }) => text === undefined && mayHaveChanged(file, findings) && !isWritten(file))) return false;
  for (const { text: before = "", ...each } of [...written, ...onDisk]) {
    const edited = (line: string) =>
      edits.reduce((now, [, , pattern = "", by = "", flags]) => now.replace(new RegExp(pattern, flags), () => by), line);
    const text = before.split("\n").map(edited).join("\n");
    if (text !== before) written.push({ ...each, text, before });
  }
  return true;
}

const textOnDisk = (file: string): string | undefined =>
  attempt(() => (statSync(file).size > MAX_BYTES ? undefined : readFileSync(file, "utf8")));
