import type { DiffView, Hunk } from "@baton/core/protocol/view";
import { sanitize, escapeInvisible } from "@baton/core/text/sanitize";
import { hang, contentWidth, type TerminalStyle } from "./layout.ts";
import { formatCount, lineEndsText } from "@baton/core/text/format";

type Row = { number: string; sign: string; text: string };

/** The lines of a change. `most` limits them; approvals show all of them. */
export function diffLines(
  view: DiffView,
  look: TerminalStyle,
  { indent, most, hint = "" }: { indent: number; most?: number; hint?: string },
): string[] {
  const rows = view.hunks.flatMap((hunk, i) => [...(i > 0 ? [undefined] : []), ...rowsOf(hunk)]);
  const relevant = most === undefined ? rows : rows.filter((row) => row !== undefined && row.sign !== " ");
  const shown = most === undefined || relevant.length <= most + 1 ? relevant : relevant.slice(0, most);
  const digits = Math.max(2, ...shown.map((row) => row?.number.length ?? 0));
  const lines = shown.flatMap((row) =>
    row ? rowLines(row, digits, look, indent, most === undefined) : [" ".repeat(indent + digits - 1) + look.ink.dim("⋯")],
  );
  const left = relevant.length - shown.length;
  if (view.lineEnds) lines.unshift(...hang(look.ink.dim(lineEndsText(view.lineEnds)), " ".repeat(indent + digits + 3), contentWidth(look)));
  return left > 0 ? [...lines, " ".repeat(indent) + look.ink.dim(`${formatCount(left, "more line")}${hint}`)] : lines;
}

/** `+4 −2` */
export const diffCounts = ({ added, removed }: Pick<DiffView, "added" | "removed">, { ink }: Pick<TerminalStyle, "ink">): string =>
  [...(added > 0 ? [ink.added(`+${added}`)] : []), ...(removed > 0 ? [ink.removed(`−${removed}`)] : [])].join(" ");

function rowLines({ number, sign, text }: Row, digits: number, look: TerminalStyle, indent: number, whole: boolean): string[] {
  const { ink } = look;
  const paint = sign === "+" ? ink.added : sign === "-" ? ink.removed : (line: string) => line;
  const first = `${" ".repeat(indent)}${ink.dim(number.padStart(digits))} `;
  const rest = " ".repeat(indent + digits + 1);
  const lines = hang(whole ? escapeInvisible(text) : sanitize(text), `${sign} `, contentWidth(look) - rest.length, {
    rest: "  ",
    trim: false,
  });
  return lines.map((line, i) => (i === 0 ? first : rest) + paint(line.trimEnd()));
}

/** The rows of a hunk. Removed lines count in the old file, other lines in the new one. */
function rowsOf({ oldStart, newStart, lines }: Hunk): Row[] {
  let [before, after] = [oldStart, newStart];
  return lines.map((line) => {
    const sign = line.charAt(0) || " ";
    const number = String(sign === "-" ? before : after);
    if (sign !== "+") before++;
    if (sign !== "-") after++;
    return { number, sign, text: line.slice(1) };
  });
}
