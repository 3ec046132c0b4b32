import path from "node:path";
import type { Kind } from "./format/index.ts";
import type { Format } from "./read-context.ts";
import { splitFrontmatter } from "./parse/frontmatter.ts";

/** Which reader a file needs, by its place and name, and where these leave it open, by what it begins with. */
export function detectFormat(file: string, text: string): { kind: Kind; format: Format } {
  const parts = file.split(path.sep);
  const base = path.basename(file);
  const lies = (...names: string[]) => names.some((name) => parts.includes(name));
  if (/^(?:opencode|kilo)\.jsonc?$/.test(base)) return { kind: "opencode-config", format: "opencode" };
  if (/\.(?:agent|chatmode)\.md$/.test(base) || (lies(".github", ".copilot") && lies("agents") && base.endsWith(".md")))
    return { kind: "vscode-page", format: "vscode" };
  if (base.endsWith(".md")) {
    if (lies(".claude")) return { kind: "claude-page", format: "claude" };
    if (lies(".opencode", ".kilo", "opencode", "kilo"))
      return { kind: lies("mode", "modes") ? "opencode-mode-page" : "opencode-page", format: "opencode" };
    return ofHeader(splitFrontmatter(text)?.header.text ?? "");
  }
  const header = splitFrontmatter(text)?.header.text;
  if (lies(".cline") || (header !== undefined && !/^customModes/m.test(text))) return { kind: "cline-page", format: "cline" };
  return { kind: "mode-list", format: base.startsWith(".kilocode") ? "kilo" : /^modes\.(?:ya?ml|json)$/.test(base) ? "own" : "roo" };
}

/** A page in an ordinary folder: groups are ours, the rest is known by the fields that only its program has. */
function ofHeader(header: string): { kind: Kind; format: Format } {
  const has = (field: string) => new RegExp(`^${field}[ \\t]*:`, "m").test(header);
  if (has("groups")) return { kind: "own-page", format: "own" };
  if (has("mode") || has("permission") || /^tools[ \t]*:[ \t]*\r?\n[ \t]+[\w*-]+[ \t]*:/m.test(header))
    return { kind: "opencode-page", format: "opencode" };
  if (has("handoffs") || has("user-invocable")) return { kind: "vscode-page", format: "vscode" };
  return has("name") && has("description") ? { kind: "claude-page", format: "claude" } : { kind: "own-page", format: "own" };
}
