import { loadRegexEngine } from "@baton/core/permission/regex";
import path from "node:path";
import { detectFormat } from "./detect-format.ts";
import { readers } from "./format/index.ts";
import { readStableFile } from "./read-stable-file.ts";
import type { Format, ModeReadResult, ReadMode, Scope } from "./read-context.ts";

/** A file that somebody names: to be read from the disk, or with the text that it has. */
export type ModeFileText = { path: string; text?: string | undefined };

/** What a named file gives, with the format that it turned out to have. */
export type ModeFileResult = { file: string; format: Format; modes: ReadMode[]; diagnostics: ModeReadResult["diagnostics"] };

/** Reads the modes of one file in whatever format it is. */
export async function readModeFile({ path: file, text }: ModeFileText, scope: Scope): Promise<ModeFileResult> {
  await loadRegexEngine();
  const settled = text === undefined ? await readStableFile(file) : { text };
  if (!settled || "fault" in settled) {
    const [code, message] = settled ? [settled.fault, settled.message] : (["unreadable", "There is no such file."] as const);
    const diagnostic = { file, line: 1, column: 1, severity: "error", code, message, fix: "Name a text file of at most 1 MB." } as const;
    return { file, format: "own", modes: [], diagnostics: [diagnostic] };
  }
  const { kind, format } = detectFormat(file, settled.text);
  const { modes, diagnostics } = await readers[kind](file, settled.text, scope, path.basename(file));
  return { file, format, modes, diagnostics };
}
