import { forEachChild, parse, type Script, type SyntaxNode } from "unbash";
import { attempt } from "../files/path-on-disk.ts";

export type * from "unbash";

/** Parses shell text. No other module uses the parser. Returns null if the text is not shell or was not parsed to its end. */
export function parseShell(text: string): Script | null {
  return attempt(() => [parse(text)].find((script) => isUnderstood(script, text, 0) && !joinsSigns(script, text))) ?? null; // the parser may also give up
}

const MAX_DEPTH = 200;

/** True if no script in the tree has an error or skips text. The check is needed because the parser recovers from many errors. */
function isUnderstood(node: SyntaxNode, source: string, depth: number, isInside = false): boolean {
  if (depth > MAX_DEPTH) return false;
  const text = node.type === "Script" ? (node.source ?? source) : source;
  if (node.type === "Script" && (node.errors ?? []).length > 0) return false;
  // Versions of bash disagree where the text of `$(cat <<E)` ends.
  if (node.type === "HereDoc" && node.closing === undefined && isInside) return false;
  const children: SyntaxNode[] = [];
  forEachChild(node, (child) => children.push(child));
  const isCovered =
    node.type === "Script" ? isBetween(children, node, text, APART) : node.type !== "Command" || isBetween(children, node, text, BLANK);
  return isCovered && children.every((child) => isUnderstood(child, text, depth + 1, isInside || child.type === "Script"));
}

const BLANK = /^(?:[ \t]|\\\n)*$/;
const APART = /^(?:[ \t\r\n;&]|\\\n|#[^\n]*)*$/;

/** True if only `gap` appears between the children, and between the last child and the end. */
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

/** A line end behind a backslash, if nothing separates the characters around it. */
const JOINING_LINES = /(?<=[^\s\\](?:\\\\)*)\\\n(?=\S)/g;
/** In double quotes and here-documents, only such characters may begin something with those of the next line. */
const BEGINS_SIGN = /(\$\{?\w*|[^\w\s.,:;!?)'"-])$/;

/** True if a sign continues in the next line, as `$\\` and `(x)` do. Bash joins the lines first, and the parser reads two signs. */
function joinsSigns(script: Script, text: string): boolean {
  if (!text.includes("\\\n")) return false;
  const [plain, quoted, inner]: [Range[], Range[], Script[]] = [[], [], []];
  const visit = (node: SyntaxNode): void => {
    const isBody = node.type === "HereDoc" && node.delimiter?.quoted === true;
    if (isBody || node.type === "SingleQuoted" || node.type === "AnsiCQuoted") plain.push(node.type === "HereDoc" ? node.body : node);
    if (node.type === "DoubleQuoted" || node.type === "HereDocBody") quoted.push(node);
    if (node.type === "Script" && node !== script && node.source !== undefined) inner.push(node); // its positions are those in another text
    else forEachChild(node, visit);
  };
  visit(script);
  const isIn = (ranges: readonly Range[], at: number) => ranges.some(({ pos, end }) => pos < at && at < end);
  const isOdd = ({ index }: { index: number }) => !isIn(plain, index) && (!isIn(quoted, index) || BEGINS_SIGN.test(text.slice(0, index)));
  return [...text.matchAll(JOINING_LINES)].some(isOdd) || inner.some((each) => joinsSigns(each, each.source ?? ""));
}

const isWord = (node: Range | SyntaxNode): boolean => "type" in node && node.type === "Word";

type Range = { pos: number; end: number };

/** Returns the text from `from` to `to` without the bodies of here-documents, which are not next to their command. */
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

/** Returns every node of a tree, including those inside substitutions. */
export function nodesIn(node: SyntaxNode): SyntaxNode[] {
  const nodes = [node];
  forEachChild(node, (child) => void nodes.push(...nodesIn(child)));
  return nodes;
}

/** Syntax of bash that other shells read as something else, such as `[[ a || b ]]`, which are two commands in sh. */
const ONLY_BASH =
  /^(AnsiCQuoted|LocaleString|Test.*|Arithmetic(Command|For)|ProcessSubstitution|ArrayValue|HereString|ExtendedGlob|BraceExpansion|Select|Coproc|FileDescriptorVariable|Time)$/;

/** Keywords and builtins that sh does not have, and signs that it reads as others. In sh, `10>x` gives the word 10 to the program. */
const ONLY_IN_BASH =
  /\b(function|pushd|popd|builtin|declare|typeset|let|mapfile|readarray|shopt|enable)\b|\$\[|printf\s+-v|&>|\d\d[<>]|\+=|\$\d\d/;

/** Quotes in `${...}`, and substitutions in the delimiter of a here-document. */
const ODD_FOR_SH = /['"\\`$]/;

/** True if sh may read the text in another way than bash. Shells also disagree about quotes in `${...}`. */
export function isOnlyForBash(text: string): boolean {
  const script = parseShell(text);
  const isOdd = (node: SyntaxNode) =>
    ONLY_BASH.test(node.type) ||
    (/^(ParameterExpansion|HereDocDelimiter)$/.test(node.type) && ODD_FOR_SH.test(text.slice(node.pos, node.end)));
  return !script || ONLY_IN_BASH.test(text) || nodesIn(script).some(isOdd);
}
