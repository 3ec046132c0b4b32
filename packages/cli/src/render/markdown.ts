import { sanitize } from "@baton/core/text/sanitize";
import { hangingIndent as hangHard, type TerminalStyle } from "./layout.ts";
import { isTableRow, markdownTableLines } from "./markdown-table.ts";

/** The state between lines: whether a fence is open, and the rows of a table until it ends. */
export type MarkdownState = { open: boolean; table?: string[] };

/** Long words such as addresses stay whole, so that they can be copied. The terminal wraps them. */
const hang = (text: string, first: string, columns: number, options: { rest?: string } = {}): string[] =>
  hangHard(text, first, columns, { ...options, hard: false });

/**
 * Renders one line of Markdown: bold headings and emphasis, code as it is, links with their target. It works line by line,
 * so streaming text only changes its last line. A line of code stays one line, so that it can be copied. `columns` limits
 * prose; tables may use `room`.
 */
export function markdownLine(
  source: string,
  fence: MarkdownState,
  style: Pick<TerminalStyle, "ansi">,
  columns: number,
  room = columns,
): string[] {
  const line = sanitize(source).trimEnd();
  if (!fence.open && isTableRow(line)) {
    (fence.table ??= []).push(line);
    return [];
  }
  if (fence.table) return [...endOfTable(fence, style, room), ...markdownLine(source, fence, style, columns, room)];
  if (/^\s*(```|~~~)/.test(line)) {
    fence.open = !fence.open;
    return [];
  }
  if (fence.open) return [line === "" ? "" : `  ${line.replaceAll("\t", "    ")}`];
  const heading = /^#{1,6}\s+(.*)$/.exec(line);
  if (heading)
    return hang(style.ansi.bold(inline(heading[1] ?? "", { ...style, ansi: { ...style.ansi, bold: (text) => text } })), "", columns);
  if (/^\s*([-*_]\s*){3,}$/.test(line)) return [style.ansi.dim("─".repeat(Math.min(20, columns)))];
  const item = /^(\s*)([-*+]|\d+[.)])\s+(.*)$/.exec(line);
  if (item) {
    const [, space = "", mark = "", text = ""] = item;
    return hang(inline(text, style), `${space}${/\d/.test(mark) ? mark : "•"} `, columns);
  }
  const quote = /^\s*>\s?(.*)$/.exec(line);
  if (quote) return hang(inline(quote[1] ?? "", style), style.ansi.dim("│ "), columns, { rest: style.ansi.dim("│ ") });
  const indent = /^\s*/.exec(line)?.[0] ?? "";
  return hang(inline(line.slice(indent.length), style), indent, columns);
}

/** The lines of a finished table. */
export function endOfTable(fence: MarkdownState, style: Pick<TerminalStyle, "ansi">, room: number): string[] {
  const { table = [] } = fence;
  delete fence.table;
  return markdownTableLines(table, (cell) => inline(cell, style), style, room);
}

/** Renders a whole text. */
export function markdown(text: string, style: Pick<TerminalStyle, "ansi">, columns: number, room = columns): string[] {
  const fence: MarkdownState = { open: false };
  const lines = text.split("\n").flatMap((line) => markdownLine(line, fence, style, columns, room));
  return [...lines, ...endOfTable(fence, style, room)];
}

const INLINE = /`([^`]+)`|\*\*([^*]+)\*\*|__([^_]+)__|!?\[([^\]]*)\]\(([^()\s]*(?:\([^()\s]*\))?[^()\s]*)(?:\s+"[^"]*")?\)/g;

/** Emphasis becomes bold; a link shows its target. */
function inline(text: string, { ansi }: Pick<TerminalStyle, "ansi">): string {
  return text.replace(INLINE, (whole, code?: string, strong?: string, strong2?: string, label?: string, target?: string) => {
    if (code !== undefined) return ansi.level === "plain" || ansi.level === "mono" ? whole : ansi.bold(code);
    if (strong !== undefined || strong2 !== undefined) return ansi.bold(strong ?? strong2 ?? "");
    const prefix = label === undefined || label === "" || label === target ? "" : `${label} `;
    return prefix === "" ? ansi.link(target ?? "") : `${prefix}(${ansi.link(target ?? "")})`;
  });
}
