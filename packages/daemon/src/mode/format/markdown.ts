import path from "node:path";
import { ReadContext, type ModeReadResult, type ReadMode, type ModeScope } from "../mode-read-context.ts";
import type { MapNode } from "../parse/syntax-node.ts";
import { splitFrontmatter } from "../parse/frontmatter.ts";
import { toSource } from "../parse/source-text.ts";
import { parseYaml } from "../parse/yaml.ts";
import { readMode } from "../read-mode.ts";

/** A markdown file: the fields of its header, and the text below it. */
export type MarkdownFile = { header: MapNode; body: { at: number; text: string }; name: string };

/** Reads one mode from a markdown file with a header. `read` converts its fields. `endings` are removed from the file name. */
export async function readMarkdown(
  file: string,
  text: string,
  scope: ModeScope,
  read: (page: MarkdownFile, reading: ReadContext) => ReadMode | undefined,
  endings: readonly string[] = [".md"],
): Promise<ModeReadResult> {
  const reading = new ReadContext(toSource(file, text), scope);
  const base = path.basename(file);
  const name = base.slice(0, base.length - (endings.find((ending) => base.endsWith(ending))?.length ?? 0));
  const broken = (): ModeReadResult => ({ modes: [], faulty: [name], broken: true, diagnostics: reading.diagnostics });
  const parts = splitFrontmatter(reading.source.text);
  reading.slug = name;
  if (!parts) {
    reading.error(0, "missing_field", "The file has no header.", "Begin with a line of three dashes, the fields, and another such line.");
    return broken();
  }
  const parsed = await parseYaml(parts.header.text, parts.header.at);
  reading.faults(parsed);
  const node = parsed.node ?? { kind: "map" as const, at: parts.header.at, entries: [] };
  if (parsed.faults.some(({ repaired }) => !repaired)) return broken();
  if (node.kind !== "map" && !(node.kind === "scalar" && node.value === null)) {
    reading.error(node.at, "wrong_type", "The header must be a table of fields.", "Write one `field: value` per line.");
    return broken();
  }
  reading.slug = undefined;
  const header = node.kind === "map" ? node : { kind: "map" as const, at: parts.header.at, entries: [] };
  const mode = read({ header, body: parts.body, name }, reading);
  return { modes: mode ? [mode] : [], faulty: mode ? [] : [name], broken: false, diagnostics: reading.diagnostics };
}

/** Baton's own format: the fields of a mode, and its role below them. */
export const readBatonMarkdown = (file: string, text: string, scope: ModeScope): Promise<ModeReadResult> =>
  readMarkdown(file, text, scope, ({ header, body, name }, reading) => readMode(header, reading, { slug: name, body }));
