import { common, createLowlight } from "lowlight";

export type HighlightToken = { text: string; kind: string | undefined };

const lowlight = createLowlight(common);

/** Splits code into tokens with their kind. Undefined if the language is not known. */
export function highlightTokens(code: string, language: string): HighlightToken[] | undefined {
  if (!lowlight.registered(language)) return undefined;
  return flat(lowlight.highlight(language, code).children, undefined);
}

type Nodes = ReturnType<typeof lowlight.highlight>["children"];

function flat(nodes: Nodes, kind: string | undefined): HighlightToken[] {
  return nodes.flatMap((node): HighlightToken[] => {
    if (node.type === "text") return [{ text: node.value, kind }];
    if (node.type !== "element") return [];
    const { className } = node.properties;
    const own = Array.isArray(className) ? String(className[0]).replace("hljs-", "") : kind;
    return flat(node.children, own);
  });
}
