import type * as yamlModule from "yaml";
import type { Document, Node as YamlNode, YAMLError } from "yaml";
import type { MapEntry, SyntaxFault, ModeSyntaxNode, ParsedText } from "./syntax-node.ts";

const MAX_NODES = 50_000;

/**
 * Parses YAML and most JSON. The parser is loaded on first use. `offset`: where `text` starts in its file. No-break spaces in the
 * indentation, as in text from web pages, count as spaces.
 */
export async function parseYaml(text: string, offset = 0): Promise<ParsedText> {
  const yaml = await import("yaml");
  const straight = parse(yaml, text, offset);
  const repaired = text.replace(/^[ \u00a0]+/gm, (blanks) => blanks.replaceAll("\u00a0", " "));
  if (repaired === text || (straight.node && !namesBlank(straight.node))) return straight;
  const { node, faults } = parse(yaml, repaired, offset);
  const at = offset + text.search(/^ *\u00a0/m);
  const message = "The file is indented with no-break spaces. Baton reads them as spaces.";
  return { node, faults: [{ at, code: "bad_yaml", message, fix: "Replace them with spaces.", repaired: true }, ...faults] };
}

type Yaml = typeof yamlModule;

/** True if a key begins with a no-break space that was meant as indentation. */
const namesBlank = (node: ModeSyntaxNode): boolean =>
  node.kind === "map" && node.entries.some(({ key, value }) => key.startsWith("\u00a0") || namesBlank(value));

function parse(yaml: Yaml, text: string, offset: number): ParsedText {
  const document = yaml.parseDocument(text, { keepSourceTokens: false, uniqueKeys: false, logLevel: "silent", prettyErrors: false });
  const faults = document.errors.map((error) => faultOf(error, text, offset));
  if (faults.some(({ repaired }) => !repaired)) return { node: undefined, faults };
  const walk = new Visitor(yaml, document, offset);
  const node = document.contents ? walk.node(document.contents) : undefined;
  faults.push(...walk.faults);
  if (walk.faults.length > 0) return { node: undefined, faults };
  if (!walk.tooMany) return { node, faults };
  const message = "The file is too large after its aliases are expanded.";
  return {
    node: undefined,
    faults: [...faults, { at: offset, code: "bad_yaml", message, fix: "Write the values out instead of *aliases." }],
  };
}

/** Visits a document with its aliases, up to a limit. */
class Visitor {
  readonly faults: SyntaxFault[] = [];
  readonly #yaml: Yaml;
  readonly #document: Document.Parsed;
  readonly #offset: number;
  #nodes = 0;

  constructor(yaml: Yaml, document: Document.Parsed, offset: number) {
    this.#yaml = yaml;
    this.#document = document;
    this.#offset = offset;
  }

  get tooMany(): boolean {
    return this.#nodes > MAX_NODES;
  }

  node(node: YamlNode | null, at = this.#at(node)): ModeSyntaxNode {
    const { isAlias, isMap, isSeq, isScalar } = this.#yaml;
    const nothing: ModeSyntaxNode = { kind: "scalar", at, value: null };
    if (++this.#nodes > MAX_NODES || node === null) return nothing;
    if (isAlias(node)) {
      const target = node.resolve(this.#document);
      if (!target) this.faults.push({ at, ...ALIAS });
      return target ? this.node(target, at) : nothing;
    }
    if (isSeq<YamlNode>(node)) return { kind: "list", at, items: node.items.map((item) => this.node(item)) };
    if (isMap<YamlNode, YamlNode | null>(node))
      return { kind: "map", at, entries: node.items.map(({ key, value }): MapEntry => this.#entry(key, value ?? null)) };
    if (!isScalar(node)) return nothing;
    const { value } = node;
    return {
      kind: "scalar",
      at,
      value: typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? value : null,
    };
  }

  #entry(key: YamlNode, value: YamlNode | null): MapEntry {
    const at = this.#at(key);
    const name = this.#yaml.isScalar(key) ? String(key.value) : String(key);
    return { key: name, at, value: this.node(value, value ? this.#at(value) : at) };
  }

  #at(node: YamlNode | null): number {
    return this.#offset + (node?.range?.[0] ?? 0);
  }
}

function faultOf({ code, pos: [start], message }: YAMLError, text: string, offset: number): SyntaxFault {
  const at = offset + start;
  if (code === "BAD_DQ_ESCAPE") {
    const escape = text.slice(start, start + 2);
    const fix = `Use single quotes, in which a backslash is literal.`;
    return {
      at,
      code: "bad_escape",
      message: `${escape} is not an escape in double-quoted YAML. Baton reads it literally.`,
      fix,
      repaired: true,
    };
  }
  if (code === "BAD_ALIAS" || text[start] === "*")
    return {
      at,
      code: "bad_yaml",
      message: "In YAML a value that begins with * is an alias.",
      fix: "Put it in single quotes. For files by their extension write '\\.md$'.",
    };
  if (code === "TAB_AS_INDENT")
    return { at, code: "bad_yaml", message: "YAML is indented with spaces, not with tabs.", fix: "Replace the tab with spaces." };
  const reason = message.split("\n")[0]?.replace(/[.:]*$/, "") ?? message;
  return {
    at,
    code: "bad_yaml",
    message: `This is not valid YAML: ${reason}.`,
    fix: "Fix the YAML here, or put the value in single quotes.",
  };
}

const ALIAS = {
  code: "bad_yaml",
  message: "In YAML a value that begins with * is an alias, but there is no such anchor.",
  fix: "Put it in single quotes. For files by their extension write '\\.md$'.",
} as const;
