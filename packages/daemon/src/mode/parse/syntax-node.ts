/** A value of a file and its offset from the start of the text, for every file format. */
export type ModeSyntaxNode =
  | { kind: "scalar"; at: number; value: string | number | boolean | null }
  | { kind: "list"; at: number; items: ModeSyntaxNode[] }
  | { kind: "map"; at: number; entries: MapEntry[] };
export type MapNode = Extract<ModeSyntaxNode, { kind: "map" }>;
export type MapEntry = { key: string; at: number; value: ModeSyntaxNode };

/** A problem that a parser found. `repaired`: the parser could read the value anyway. */
export type SyntaxFault = {
  at: number;
  code: "bad_yaml" | "bad_json" | "bad_escape" | "duplicate_field";
  message: string;
  fix?: string;
  repaired?: true;
};

export type ParsedText = { node: ModeSyntaxNode | undefined; faults: SyntaxFault[] };

/** The value without offsets. */
export function toPlainValue(node: ModeSyntaxNode): unknown {
  switch (node.kind) {
    case "scalar":
      return node.value;
    case "list":
      return node.items.map(toPlainValue);
    case "map":
      return Object.fromEntries(node.entries.map(({ key, value }) => [key, toPlainValue(value)]));
  }
}

/** The last entry with this key. Later entries win, as in JSON. */
export const findEntry = ({ entries }: MapNode, key: string): MapEntry | undefined => entries.findLast((each) => each.key === key);
