import { sanitize } from "@baton/core/text/sanitize";
import { hang as hangHard, type TerminalStyle } from "./layout.ts";
import { isTableRow, tableLines } from "./table.ts";

/** The state between lines: whether a fence is open, and the rows of a table until it ends. */
export type Fence = { open: boolean; table?: string[] };

/** Long words such as addresses stay whole, so that they can be copied. The terminal wraps them. */
const hang = (text: string, first: string, columns: number, options: { rest?: string } = {}): string[] =>
  hangHard(text, first, columns, { ...options, hard: false });

/**
 * Renders one line of Markdown: bold headings and emphasis, code as it is, links with their target. It works line by line,
 * so streaming text only changes its last line. A line of code stays one line, so that it can be copied. `columns` limits
 * prose; tables may use `room`.
 */
export function markdownLine(source: string, fence: Fence, look: Pick<TerminalStyle, "ink">, columns: number, room = columns): string[] {
  const line = sanitize(source).trimEnd();
  if (!fence.open && isTableRow(line)) {
    (fence.table ??= []).push(line);
    return [];
  }
  if (fence.table) return [...endOfTable(fence, look, room), ...markdownLine(source, fence, look, columns, room)];
  if (/^\s*(```|~~~)/.test(line)) {
    fence.open = !fence.open;
    return [];
  }
  if (fence.open) return [line === "" ? "" : `  ${line.replaceAll("\t", "    ")}`];
  const heading = /^#{1,6}\s+(.*)$/.exec(line);
  if (heading) return hang(look.ink.bold(inline(heading[1] ?? "", { ...look, ink: { ...look.ink, bold: (text) => text } })), "", columns);
  if (/^\s*([-*_]\s*){3,}$/.test(line)) return [look.ink.dim("─".repeat(Math.min(20, columns)))];
  const item = /^(\s*)([-*+]|\d+[.)])\s+(.*)$/.exec(line);
  if (item) {
    const [, space = "", mark = "", text = ""] = item;
    return hang(inline(text, look), `${space}${/\d/.test(mark) ? mark : "•"} `, columns);
  }
  const quote = /^\s*>\s?(.*)$/.exec(line);
  if (quote) return hang(inline(quote[1] ?? "", look), look.ink.dim("│ "), columns, { rest: look.ink.dim("│ ") });
  const indent = /^\s*/.exec(line)?.[0] ?? "";
  return hang(inline(line.slice(indent.length), look), indent, columns);
}

/** The lines of a finished table. */
export function endOfTable(fence: Fence, look: Pick<TerminalStyle, "ink">, room: number): string[] {
  const { table = [] } = fence;
  delete fence.table;
  return tableLines(table, (cell) => inline(cell, look), look, room);
}

/** Renders a whole text. */
export function markdown(text: string, look: Pick<TerminalStyle, "ink">, columns: number, room = columns): string[] {
  const fence: Fence = { open: false };
  const lines = text.split("\n").flatMap((line) => markdownLine(line, fence, look, columns, room));
  return [...lines, ...endOfTable(fence, look, room)];
}

const INLINE = /`([^`]+)`|\*\*([^*]+)\*\*|__([^_]+)__|!?\[([^\]]*)\]\(([^()\s]*(?:\([^()\s]*\))?[^()\s]*)(?:\s+"[^"]*")?\)/g;

/** Emphasis becomes bold; a link shows its target. */
function inline(text: string, { ink }: Pick<TerminalStyle, "ink">): string {
  return text.replace(INLINE, (whole, code?: string, strong?: string, strong2?: string, label?: string, target?: string) => {
    if (code !== undefined) return ink.level === "plain" || ink.level === "mono" ? whole : ink.bold(code);
    if (strong !== undefined || strong2 !== undefined) return ink.bold(strong ?? strong2 ?? "");
    const shown = label === undefined || label === "" || label === target ? "" : `${label} `;
    return shown === "" ? ink.link(target ?? "") : `${shown}(${ink.link(target ?? "")})`;
  });
}
