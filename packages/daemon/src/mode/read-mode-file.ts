import { loadRegexEngine } from "@baton/core/text/regex";
import path from "node:path";
import { formatReaders, type ModeFileKind } from "./format/format-readers.ts";
import { readStableFile } from "./read-stable-file.ts";
import type { ModeFormat, ModeReadResult, ReadMode, ModeScope } from "./mode-read-context.ts";
import { splitFrontmatter } from "./parse/frontmatter.ts";

/** A file that a client names, read from the disk unless its text is given. */
export type ModeFileText = { path: string; text?: string | undefined };

/** The modes in a file, and its detected format. */
type ModeFileResult = { file: string; format: ModeFormat; modes: ReadMode[]; diagnostics: ModeReadResult["diagnostics"] };

/** Reads the modes of a file in any format. */
export async function readModeFile({ path: file, text }: ModeFileText, scope: ModeScope): Promise<ModeFileResult> {
  await loadRegexEngine();
  const settled = text === undefined ? await readStableFile(file) : { text };
  if (!settled || "fault" in settled) {
    const [code, message] = settled ? [settled.fault, settled.message] : (["unreadable", "The file does not exist."] as const);
    const diagnostic = { file, line: 1, column: 1, severity: "error", code, message, fix: "Name a text file of at most 1 MB." } as const;
    return { file, format: "own", modes: [], diagnostics: [diagnostic] };
  }
  const { kind, format } = detectFormat(file, settled.text);
  const { modes, diagnostics } = await formatReaders[kind](file, settled.text, scope, path.basename(file));
  return { file, format, modes, diagnostics };
}

/** Chooses the reader by the folder and the name of a file, or by how its text begins. */
function detectFormat(file: string, text: string): { kind: ModeFileKind; format: ModeFormat } {
  const parts = file.split(path.sep);
  const base = path.basename(file);
  const hasFolder = (...names: string[]) => names.some((name) => parts.includes(name));
  if (/^(?:opencode|kilo)\.jsonc?$/.test(base)) return { kind: "opencode-config", format: "opencode" };
  if (/\.(?:agent|chatmode)\.md$/.test(base) || (hasFolder(".github", ".copilot") && hasFolder("agents") && base.endsWith(".md")))
    return { kind: "vscode-page", format: "vscode" };
  if (base.endsWith(".md")) {
    if (hasFolder(".claude")) return { kind: "claude-page", format: "claude" };
    if (hasFolder(".opencode", ".kilo", "opencode", "kilo"))
      return { kind: hasFolder("mode", "modes") ? "opencode-mode-page" : "opencode-page", format: "opencode" };
    return ofHeader(splitFrontmatter(text)?.header.text ?? "");
  }
  const header = splitFrontmatter(text)?.header.text;
  if (hasFolder(".cline") || (header !== undefined && !/^customModes/m.test(text))) return { kind: "cline-page", format: "cline" };
  return { kind: "mode-list", format: base.startsWith(".kilocode") ? "kilo" : /^modes\.(?:ya?ml|json)$/.test(base) ? "own" : "roo" };
}

/** A markdown file in an ordinary folder. `groups` means Baton's format; other formats have fields of their own. */
function ofHeader(header: string): { kind: ModeFileKind; format: ModeFormat } {
  const has = (field: string) => new RegExp(`^${field}[ \\t]*:`, "m").test(header);
  if (has("groups")) return { kind: "own-page", format: "own" };
  if (has("mode") || has("permission") || /^tools[ \t]*:[ \t]*\r?\n[ \t]+[\w*-]+[ \t]*:/m.test(header))
    return { kind: "opencode-page", format: "opencode" };
  if (has("handoffs") || has("user-invocable")) return { kind: "vscode-page", format: "vscode" };
  return has("name") && has("description") ? { kind: "claude-page", format: "claude" } : { kind: "own-page", format: "own" };
}
