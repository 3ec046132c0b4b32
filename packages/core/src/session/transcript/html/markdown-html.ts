import { escapeHtml } from "./escape-html.ts";

/**
 * Renders the Markdown that models write: paragraphs, headings, lists, quotes, tables, code, emphasis and links. HTML in the source is shown
 * as text, and only links to web pages become links.
 */
export function markdownHtml(source: string): string {
  const lines = source.split("\n");
  const html: string[] = [];
  for (let at = 0; at < lines.length;) {
    const [block, next] = blockAt(lines, at);
    if (block !== "") html.push(block);
    at = next;
  }
  return html.join("\n");
}

type Block = [html: string, next: number];

function blockAt(lines: readonly string[], at: number): Block {
  const line = lines[at] ?? "";
  if (line.trim() === "") return ["", at + 1];
  const fence = /^\s*(```|~~~)/.exec(line)?.[1];
  if (fence !== undefined) return fencedCode(lines, at, fence);
  const heading = /^(#{1,6})\s+(.*)$/.exec(line);
  if (heading) return [`<h4>${inline(heading[2] ?? "")}</h4>`, at + 1];
  if (/^\s*([-*_]\s*){3,}$/.test(line)) return ["<hr>", at + 1];
  if (ITEM.test(line)) return list(lines, at);
  if (QUOTE.test(line)) {
    const end = endOf(lines, at, (each) => QUOTE.test(each));
    return [
      `<blockquote>${markdownHtml(
        lines
          .slice(at, end)
          .map((each) => each.replace(QUOTE, ""))
          .join("\n"),
      )}</blockquote>`,
      end,
    ];
  }
  if (ROW.test(line)) return table(lines, at);
  const end = endOf(lines, at + 1, (each) => each.trim() !== "" && !STARTS_BLOCK.test(each));
  return [`<p>${lines.slice(at, end).map(inline).join("<br>\n")}</p>`, end];
}

const ITEM = /^\s*(?:[-*+]|\d+[.)])\s+/;
const QUOTE = /^\s*>\s?/;
const ROW = /^\s*\|.*\|\s*$/;
const STARTS_BLOCK = /^\s*(?:```|~~~|#{1,6}\s|>|(?:[-*+]|\d+[.)])\s|\|.*\|\s*$)/;

/** The first line from `at` on that does not fit. */
function endOf(lines: readonly string[], at: number, fits: (line: string) => boolean): number {
  let end = at;
  while (end < lines.length && fits(lines[end] ?? "")) end++;
  return end;
}

function fencedCode(lines: readonly string[], at: number, fence: string): Block {
  const end = endOf(lines, at + 1, (line) => !line.trimStart().startsWith(fence));
  return [`<pre><code>${escapeHtml(lines.slice(at + 1, end).join("\n"))}</code></pre>`, end + 1];
}

/** A list without levels: an inner item keeps its indentation. */
function list(lines: readonly string[], at: number): Block {
  const end = endOf(lines, at, (line) => ITEM.test(line));
  const items = lines.slice(at, end).map((line) => {
    const level = Math.min(4, Math.floor((/^\s*/.exec(line)?.[0].length ?? 0) / 2));
    return `<li${level === 0 ? "" : ` class="level${level}"`}>${inline(line.replace(ITEM, ""))}</li>`;
  });
  const tag = /^\s*\d/.test(lines[at] ?? "") ? "ol" : "ul";
  return [`<${tag}>${items.join("")}</${tag}>`, end];
}

function table(lines: readonly string[], at: number): Block {
  const end = endOf(lines, at, (line) => ROW.test(line));
  const rows = lines.slice(at, end).map((line) =>
    line
      .trim()
      .slice(1, -1)
      .split("|")
      .map((cell) => cell.trim()),
  );
  const hasHead = rows[1]?.every((cell) => /^:?-+:?$/.test(cell)) === true;
  const cells = (row: readonly string[], tag: string) => `<tr>${row.map((cell) => `<${tag}>${inline(cell)}</${tag}>`).join("")}</tr>`;
  const html = rows.flatMap((row, i) => (hasHead && i === 1 ? [] : [cells(row, hasHead && i === 0 ? "th" : "td")]));
  return [`<div class="wide"><table>${html.join("")}</table></div>`, end];
}

/** Code is taken out first, because nothing in it is markup. */
function inline(text: string): string {
  return text
    .split(/(`[^`]+`)/)
    .map((part) => (/^`[^`]+`$/.test(part) ? `<code>${escapeHtml(part.slice(1, -1))}</code>` : emphasis(escapeHtml(part))))
    .join("");
}

const emphasis = (html: string): string =>
  html
    .replace(/\[([^\]\n]+)\]\((https?:\/\/[^\s)]+)\)/g, '<a href="$2" rel="noreferrer">$1</a>')
    .replace(/\*\*([^*\n]+)\*\*/g, "<strong>$1</strong>")
    .replace(/(^|[\s(])\*([^*\s][^*\n]*)\*(?=[\s).,:;!?]|$)/g, "$1<em>$2</em>");
