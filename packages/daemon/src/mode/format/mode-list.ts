import { readMode } from "../read-mode.ts";
import { type ModeReadResult, type ReadMode, type ModeScope, ReadContext } from "../mode-read-context.ts";
import { parseJsonNode } from "../parse/json.ts";
import { findEntry, type MapNode, type ModeSyntaxNode, type ParsedText } from "../parse/syntax-node.ts";
import { toSource, type SourceText } from "../parse/source-text.ts";
import { parseYaml } from "../parse/yaml.ts";

/**
 * Reads a file of modes in YAML or JSON: `customModes` of Roo Code and its relatives (export bundles included), `modes`, a list, or a single
 * mode. If the YAML of one entry is invalid, the other entries are read separately.
 */
export async function readModeList(file: string, text: string, scope: ModeScope): Promise<ModeReadResult> {
  const source = toSource(file, text);
  const reading = new ReadContext(source, scope);
  const parsed = await parse(source);
  if (parsed.node) {
    reading.faults(parsed);
    return taken(definitionsIn(parsed.node, reading), reading);
  }
  if (parsed.faults.length === 0) return { modes: [], faulty: [], broken: false, diagnostics: [] };
  const chunks = isJson(source) ? [] : chunksOf(source.text);
  if (chunks.length === 0) {
    reading.faults(parsed);
    return { modes: [], faulty: [], broken: true, diagnostics: reading.diagnostics };
  }
  return readChunks(chunks, reading);
}

/** Decides by the file name or the first character whether it is JSON. Invalid JSON may still be YAML. */
async function parse(source: SourceText): Promise<ParsedText> {
  if (!isJson(source)) return parseYaml(source.text);
  const json = parseJsonNode(source.text);
  if (json.node || /\.jsonc?$/.test(source.file)) return json;
  const yaml = await parseYaml(source.text);
  return yaml.node ? yaml : json;
}

const isJson = ({ file, text }: SourceText): boolean => /\.jsonc?$/.test(file) || /^\s*[{[]/.test(text);

function definitionsIn(node: ModeSyntaxNode, reading: ReadContext): MapNode[] {
  const list = node.kind === "map" ? (findEntry(node, "customModes") ?? findEntry(node, "modes"))?.value : node;
  if (list?.kind === "list")
    return list.items.flatMap((item) => {
      if (item.kind === "map") return [item];
      reading.error(item.at, "wrong_type", "A mode must be a table of fields.", "Write slug, name, roleDefinition and groups.");
      return [];
    });
  if (list === undefined && node.kind === "map" && findEntry(node, "slug")) return [node];
  const isEmpty = (each: ModeSyntaxNode | undefined) => each?.kind === "scalar" && each.value === null;
  if (!isEmpty(list) && !isEmpty(node))
    reading.error(node.at, "not_modes", "The file has no modes.", "Begin with `customModes:` and a list of modes.");
  return [];
}

function taken(nodes: readonly MapNode[], reading: ReadContext): ModeReadResult {
  const modes: ReadMode[] = [];
  const faulty: string[] = [];
  for (const node of nodes) {
    const named = findEntry(node, "slug")?.value;
    const read = readMode(node, reading);
    if (!read) {
      if (named?.kind === "scalar" && typeof named.value === "string") faulty.push(named.value);
      continue;
    }
    if (modes.some(({ mode }) => mode.slug === read.mode.slug)) {
      reading.slug = read.mode.slug;
      reading.error(
        named?.at ?? node.at,
        "duplicate_slug",
        `A mode ${read.mode.slug} is already defined above, so Baton ignores this one.`,
        "Give it another slug, or remove one of them.",
      );
      reading.slug = undefined;
    } else modes.push(read);
  }
  return { modes, faulty, broken: false, diagnostics: reading.diagnostics };
}

type Chunk = { at: number; text: string };

/** Splits the list of modes at its dashes: `- ` at the indentation of the first entry below the key. */
function chunksOf(text: string): Chunk[] {
  const key = /^(?:customModes|modes)[ \t]*:[ \t]*(?:#.*)?\r?$/m.exec(text);
  const from = key ? key.index + key[0].length : 0;
  const first = /^([ ]*)- /m.exec(text.slice(from));
  if (!first) return [];
  const dash = new RegExp(`^${first[1]}- `, "gm");
  dash.lastIndex = from;
  const starts = Array.from(text.matchAll(dash), ({ index }) => index).filter((index) => index >= from);
  return starts.map((at, i) => ({ at, text: text.slice(at, starts[i + 1]) }));
}

async function readChunks(chunks: readonly Chunk[], reading: ReadContext): Promise<ModeReadResult> {
  const nodes: MapNode[] = [];
  const faulty: string[] = [];
  for (const { at, text } of chunks) {
    const slug = /^[ ]*(?:- )?[ ]*slug:[ \t]*["']?([\w-]+)/m.exec(text)?.[1];
    const parsed = await parseYaml(text, at);
    reading.slug = slug;
    reading.faults(parsed);
    reading.slug = undefined;
    const item = parsed.node?.kind === "list" ? parsed.node.items[0] : undefined;
    if (item?.kind === "map") nodes.push(item);
    else if (slug !== undefined) faulty.push(slug);
  }
  const read = taken(nodes, reading);
  return { ...read, faulty: [...read.faulty, ...faulty] };
}
