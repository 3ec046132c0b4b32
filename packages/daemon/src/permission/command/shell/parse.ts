import { forEachChild, parse, type Script, type SyntaxNode } from "unbash";

export type * from "unbash";
export { forEachChild as forEachNode } from "unbash";

/** The one place that knows the parser. Null: the text is no shell, or was not understood to its end. */
export function parseShell(text: string): Script | null {
  try {
    const script = parse(text);
    return isUnderstood(script, text, 0) ? script : null;
  } catch {
    return null; // a parser that gives up has not understood the text
  }
}

const MAX_DEPTH = 200;

/** The parser recovers from much, so every script of the tree has to be free of errors and leave out no text. */
function isUnderstood(node: SyntaxNode, source: string, depth: number): boolean {
  if (depth > MAX_DEPTH) return false;
  const text = node.type === "Script" ? (node.source ?? source) : source;
  if (node.type === "Script" && (node.errors ?? []).length > 0) return false;
  const children: SyntaxNode[] = [];
  forEachChild(node, (child) => children.push(child));
  const isCovered =
    node.type === "Script" ? isBetween(children, node, text, APART) : node.type !== "Command" || isBetween(children, node, text, BLANK);
  return isCovered && children.every((child) => isUnderstood(child, text, depth + 1));
}

const BLANK = /^(?:[ \t]|\\\n)*$/;
const APART = /^(?:[ \t\r\n;&]|\\\n|#[^\n]*)*$/;

/** Whether nothing but `gap` stands between the children, and from the last one to the end. */
function isBetween(children: readonly SyntaxNode[], { pos, end }: SyntaxNode, text: string, gap: RegExp): boolean {
  const bodies = hereDocs(children);
  let at = pos;
  for (const child of [...children, { pos: end, end }]) {
    if (isWord(child) && child.pos === at && at > pos) return false; // two words that bash reads as one
    if (child.pos > at && !gap.test(without(bodies, text, at, child.pos))) return false;
    at = Math.max(at, child.end);
  }
  return true;
}

const isWord = (node: Range | SyntaxNode): boolean => "type" in node && node.type === "Word";

type Range = { pos: number; end: number };

/** The text from `from` to `to` without the bodies of here-documents, which stand away from their command. */
function without(bodies: readonly Range[], text: string, from: number, to: number): string {
  let kept = "";
  let at = from;
  for (const body of bodies) {
    if (body.pos < at || body.pos >= to) continue;
    kept += text.slice(at, body.pos);
    at = body.end;
  }
  return kept + text.slice(at, Math.max(at, to));
}

function hereDocs(nodes: readonly SyntaxNode[]): Range[] {
  const found: Range[] = [];
  const visit = (node: SyntaxNode): void => {
    if (node.type === "HereDoc") found.push({ pos: node.body.pos, end: node.closing?.end ?? node.body.end });
    else if (node.type !== "Word") forEachChild(node, visit);
  };
  nodes.forEach(visit);
  return found.toSorted((a, b) => a.pos - b.pos);
}

/** Every node of a tree, also inside of substitutions. */
export function everyNode(node: SyntaxNode, visit: (node: SyntaxNode) => void): void {
  visit(node);
  forEachChild(node, (child) => everyNode(child, visit));
}
