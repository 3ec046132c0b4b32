import { omitUndefined } from "@baton/core/text/omit-undefined";
import type { View } from "@baton/core/protocol/tool-view";
import { sanitize, escapeInvisible, oneLine } from "@baton/core/text/sanitize";
import { diffLines } from "./diff.ts";
import { hangingIndent, contentWidth, keyHint, type TerminalStyle } from "./layout.ts";
import { markdown } from "./markdown.ts";
import { terminalLines } from "./command-output.ts";
import { formatCount } from "@baton/core/text/format";

/** How much of a view to show: the short form of a finished call, more for a failure, or all. */
export type ViewDetail = "short" | "failed" | "all";

const MAX_LINES_BY_EXTENT: Record<Exclude<ViewDetail, "all">, { head: number; tail: number; lines: number }> = {
  short: { head: 1, tail: 3, lines: 3 },
  failed: { head: 3, tail: 12, lines: 12 },
};

/** Draws a view. Every tool uses one of these views. */
export function viewLines(view: View, style: TerminalStyle, extent: ViewDetail, indent = 6): string[] {
  const most = extent === "all" ? undefined : MAX_LINES_BY_EXTENT[extent];
  const shows = keyHint(style, "expandCall", "shows all");
  const hint = extent === "all" || style.ansi.level === "plain" || shows === "" ? "" : `, ${shows}`;
  switch (view.type) {
    case "diff":
      return diffLines(view, style, { indent, hint, ...omitUndefined({ most: most?.lines }) });
    case "terminal":
      return terminalLines(view, style, { indent, hint, ...(most ? { head: most.head, tail: most.tail } : {}) });
    case "command":
      return hangingIndent(escapeInvisible(view.command), " ".repeat(indent), contentWidth(style), { trim: false });
    case "text":
      return view.format === "markdown"
        ? indented(markdown(view.text, style, contentWidth(style) - indent), indent)
        : shortened(plainLines(view.text, style, indent), most?.lines, style, indent, hint);
    case "files":
      return shortened(
        view.files.map(
          ({ path, line, note }) =>
            `${" ".repeat(indent)}${oneLine(path)}${line === undefined ? "" : style.ansi.dim(`:${line}`)}${note ? style.ansi.dim(`  ${oneLine(note)}`) : ""}`,
        ),
        most?.lines,
        style,
        indent,
        hint,
      );
    case "link":
      return hangingIndent(
        view.label === view.url
          ? style.ansi.link(escapeInvisible(view.url))
          : `${oneLine(view.label)} (${style.ansi.link(escapeInvisible(view.url))})`,
        " ".repeat(indent),
        contentWidth(style),
      );
    case "list":
      return view.items.flatMap(({ text, state }) =>
        hangingIndent(oneLine(text), `${" ".repeat(indent)}${style.ansi.dim(MARKS[state ?? "open"])} `, contentWidth(style)),
      );
  }
}

const MARKS = { open: "·", doing: "…", done: "✓" };

const plainLines = (text: string, style: TerminalStyle, indent: number): string[] =>
  sanitize(text)
    .replace(/\n+$/, "")
    .split("\n")
    .flatMap((line) => hangingIndent(line, " ".repeat(indent), contentWidth(style), { trim: false }));

const indented = (lines: string[], by: number): string[] => lines.map((line) => (line === "" ? "" : " ".repeat(by) + line));

function shortened(lines: string[], most: number | undefined, style: TerminalStyle, indent: number, hint: string): string[] {
  if (most === undefined || lines.length <= most + 1) return lines;
  return [...lines.slice(0, most), " ".repeat(indent) + style.ansi.dim(`… ${formatCount(lines.length - most, "more line")}${hint}`)];
}
