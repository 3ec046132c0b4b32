/** A value of a file with its place, whatever language the file is written in. Offsets count from the start of the text. */
export type Node =
  | { kind: "scalar"; at: number; value: string | number | boolean | null }
  | { kind: "list"; at: number; items: Node[] }
  | { kind: "map"; at: number; entries: Entry[] };
export type MapNode = Extract<Node, { kind: "map" }>;
export type Entry = { key: string; at: number; value: Node };

/** What a parser found wrong. `mended`: the value was understood all the same. */
export type Fault = {
  at: number;
  code: "bad_yaml" | "bad_json" | "bad_escape" | "duplicate_field";
  message: string;
  fix?: string;
  mended?: true;
};

export type Parsed = { node: Node | undefined; faults: Fault[] };

/** The value without its places. */
export function plain(node: Node): unknown {
  switch (node.kind) {
    case "scalar":
      return node.value;
    case "list":
      return node.items.map(plain);
    case "map":
      return Object.fromEntries(node.entries.map(({ key, value }) => [key, plain(value)]));
  }
}

/** The last entry with this key: a later one wins, as in JSON. */
export const entry = ({ entries }: MapNode, key: string): Entry | undefined => entries.findLast((each) => each.key === key);
