import type { DiffView, Hunk } from "@baton/core/protocol/tool-view";
import { sanitize, escapeInvisible } from "@baton/core/text/sanitize";
import { hangingIndent, contentWidth, type TerminalStyle } from "./layout.ts";
import { formatCount, lineEndsText } from "@baton/core/text/format";

type Row = { number: string; sign: string; text: string };

/** The lines of a change. `most` limits them; approvals show all of them. */
export function diffLines(
  view: DiffView,
  style: TerminalStyle,
  { indent, most, hint = "" }: { indent: number; most?: number; hint?: string },
): string[] {
  const rows = view.hunks.flatMap((hunk, i) => [...(i > 0 ? [undefined] : []), ...hunkRows(hunk)]);
  const relevant = most === undefined ? rows : rows.filter((row) => row !== undefined && row.sign !== " ");
  const visible = most === undefined || relevant.length <= most + 1 ? relevant : relevant.slice(0, most);
  const digits = Math.max(2, ...visible.map((row) => row?.number.length ?? 0));
  const lines = visible.flatMap((row) =>
    row ? rowLines(row, digits, style, indent, most === undefined) : [" ".repeat(indent + digits - 1) + style.ansi.dim("⋯")],
  );
  const left = relevant.length - visible.length;
  if (view.lineEnds)
    lines.unshift(...hangingIndent(style.ansi.dim(lineEndsText(view.lineEnds)), " ".repeat(indent + digits + 3), contentWidth(style)));
  return left > 0 ? [...lines, " ".repeat(indent) + style.ansi.dim(`${formatCount(left, "more line")}${hint}`)] : lines;
}

/** `+4 −2` */
export const diffCounts = ({ added, removed }: Pick<DiffView, "added" | "removed">, { ansi }: Pick<TerminalStyle, "ansi">): string =>
  [...(added > 0 ? [ansi.added(`+${added}`)] : []), ...(removed > 0 ? [ansi.removed(`−${removed}`)] : [])].join(" ");

function rowLines({ number, sign, text }: Row, digits: number, style: TerminalStyle, indent: number, whole: boolean): string[] {
  const { ansi } = style;
  const paint = sign === "+" ? ansi.added : sign === "-" ? ansi.removed : (line: string) => line;
  const first = `${" ".repeat(indent)}${ansi.dim(number.padStart(digits))} `;
  const rest = " ".repeat(indent + digits + 1);
  const lines = hangingIndent(whole ? escapeInvisible(text) : sanitize(text), `${sign} `, contentWidth(style) - rest.length, {
    rest: "  ",
    trim: false,
  });
  return lines.map((line, i) => (i === 0 ? first : rest) + paint(line.trimEnd()));
}

/** The rows of a hunk. Removed lines count in the old file, other lines in the new one. */
function hunkRows({ oldStart, newStart, lines }: Hunk): Row[] {
  let [before, after] = [oldStart, newStart];
  return lines.map((line) => {
    const sign = line.charAt(0) || " ";
    const number = String(sign === "-" ? before : after);
    if (sign !== "+") before++;
    if (sign !== "-") after++;
    return { number, sign, text: line.slice(1) };
  });
}
