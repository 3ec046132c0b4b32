import { applyEdits, createScanner, findNodeAtLocation, parseTree, type Edit, type Node } from "jsonc-parser";

/** Removes a setting or an entry of a list with its comma, and the line if nothing else is on it. Comments stay, also those directly above. */
export function removeSetting(text: string, location: readonly (string | number)[]): string {
  const root = parseTree(text, [], { allowTrailingComma: true });
  const node = root && findNodeAtLocation(root, [...location]);
  const property = node?.parent?.type === "property" ? node.parent : node;
  if (!property) return text;
  const comma = commaAfter(text, property) ?? commaBefore(text, property);
  const end = property.offset + property.length;
  const removed =
    comma === end ? { offset: property.offset, length: property.length + 1 } : { offset: property.offset, length: property.length };
  const edits: Edit[] = [{ ...wholeLine(text, removed), content: "" }];
  if (comma !== undefined && comma !== end) edits.push({ offset: comma, length: 1, content: "" });
  return applyEdits(text, edits);
}

function commaAfter(text: string, node: Node): number | undefined {
  const scanner = createScanner(text, true);
  scanner.setPosition(node.offset + node.length);
  scanner.scan();
  const at = scanner.getTokenOffset();
  return text.charAt(at) === "," ? at : undefined;
}

/** The last setting of an object has no comma of its own, so that of the setting before it goes. */
function commaBefore(text: string, node: Node): number | undefined {
  const siblings = node.parent?.children ?? [];
  const before = siblings[siblings.indexOf(node) - 1];
  return before && commaAfter(text, before);
}

function wholeLine(text: string, { offset, length }: Pick<Edit, "offset" | "length">): Pick<Edit, "offset" | "length"> {
  const start = text.lastIndexOf("\n", offset - 1) + 1;
  const end = text.indexOf("\n", offset + length);
  const isAlone = text.slice(start, offset).trim() === "" && end >= 0 && text.slice(offset + length, end).trim() === "";
  return isAlone && start > 0 ? { offset: start, length: end + 1 - start } : { offset, length };
}
