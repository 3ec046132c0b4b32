import { common, createLowlight } from "lowlight";

export type Token = { text: string; kind: string | undefined };

const lowlight = createLowlight(common);

/** Splits code into tokens with their kind. Undefined if the language is not known. */
export function highlightTokens(code: string, language: string): Token[] | undefined {
  if (!lowlight.registered(language)) return undefined;
  return flat(lowlight.highlight(language, code).children, undefined);
}

type Nodes = ReturnType<typeof lowlight.highlight>["children"];

function flat(nodes: Nodes, kind: string | undefined): Token[] {
  return nodes.flatMap((node): Token[] => {
    if (node.type === "text") return [{ text: node.value, kind }];
    if (node.type !== "element") return [];
    const { className } = node.properties;
    const own = Array.isArray(className) ? String(className[0]).replace("hljs-", "") : kind;
    return flat(node.children, own);
  });
}
