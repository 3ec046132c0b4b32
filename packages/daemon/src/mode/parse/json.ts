import { parseTree, printParseErrorCode, type Node as JsonNode, type ParseError } from "jsonc-parser";
import type { MapEntry, SyntaxFault, ModeSyntaxNode, ParsedText } from "./syntax-node.ts";

/** Parses JSON with comments and trailing commas. */
export function parseJsonNode(text: string): ParsedText {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true });
  const faults = errors.map(({ error, offset }): SyntaxFault => ({
    at: offset,
    code: "bad_json",
    message: `This is not valid JSON: ${printParseErrorCode(error)}.`,
    fix: "Fix the JSON here. An editor shows the missing bracket or quote.",
  }));
  const node = root && nodeOf(root, faults);
  return { node: node && faults.every(({ repaired }) => repaired) ? node : undefined, faults };
}

function nodeOf({ type, offset: at, children = [], value }: JsonNode, faults: SyntaxFault[]): ModeSyntaxNode {
  switch (type) {
    case "array":
      return { kind: "list", at, items: children.map((child) => nodeOf(child, faults)) };
    case "object":
      return { kind: "map", at, entries: children.flatMap((child) => entryOf(child, faults)) };
    case "property":
    case "string":
    case "number":
    case "boolean":
    case "null":
      return { kind: "scalar", at, value: scalarOf(value) };
  }
}

function entryOf({ children: [key, value] = [] }: JsonNode, faults: SyntaxFault[]): MapEntry[] {
  return key && value ? [{ key: String(key.value), at: key.offset, value: nodeOf(value, faults) }] : [];
}

const scalarOf = (value: unknown) => (typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? value : null);
