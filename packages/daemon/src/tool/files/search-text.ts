import { omitUndefined } from "@baton/core/text/omit-undefined";
import { toolFields } from "@baton/core/tool/tool-table";
import * as z from "zod";
import { formatCount, formatNumber } from "@baton/core/text/format";
import type { Matches } from "../../system/files/search.ts";
import { toolArguments } from "../input-schema.ts";
import { actingTool, failed, inputField, ok } from "../tool-types.ts";
import { missingFileOutcome } from "./may-reveal-file.ts";
import { cutLine } from "./number-lines.ts";
import { escapeHidden } from "../result-text.ts";

const MAX_SHOWN = 200;
/** The most lines of a result with lines around the matches. */
const MAX_LINES = 600;
export const MAX_CONTEXT = 20;
const MAX_CHARACTERS = 300;

export const searchText = actingTool({
  ...toolFields("search_text"),
  description: "Search files for a regular expression (Rust syntax, line by line). Skips ignored files.",
  input: toolArguments({
    pattern: z.string().min(1),
    path: z.string().min(1).optional().describe("folder or file, default the workspace"),
    glob: z.string().min(1).optional().describe("only these files, such as *.ts"),
    context: z.int().min(0).max(MAX_CONTEXT).optional().describe("lines before and after each match"),
  }),
  label: (input) => ({ verb: "search", object: escapeHidden(inputField(input, "pattern")) }),
  access: ({ path = "." }) => [{ action: "read", resource: path }],
  run: async ({ pattern, path = ".", glob, context: around }, context) => {
    const { ports, signal } = context;
    const found = await ports.search.text({ pattern, path, ...omitUndefined({ glob, context: around }) }, signal);
    if ("fault" in found) return failed(found.message);
    const { matches: lines, capped } = found;
    const matches = lines.filter(({ isNear }) => !isNear);
    const shown = firstMatches(lines);
    const shownMatches = shown.filter(({ isNear }) => !isNear);
    const narrow = glob === undefined ? "" : ` in files ${glob}`;
    if (matches.length === 0)
      return (
        missingFileOutcome(path, context) ??
        ok(`No match for ${pattern} in ${path}${narrow}. Files that you may not read are not searched.`, { end: "none" })
      );
    const files = new Set(matches.map((match) => match.path)).size;
    const more =
      matches.length > shownMatches.length || capped
        ? `\n(${shownMatches.length} of ${formatNumber(matches.length)}${capped ? " or more" : ""} matches; narrow it down by path, glob or pattern)`
        : "";
    return ok(byFile(shown, around ?? 0) + more, {
      end: `${formatNumber(matches.length)}${capped ? "+" : ""} in ${formatCount(files, "file")}`,
      view: {
        type: "files",
        files: shownMatches.map((match) => ({ path: match.path, line: match.line, note: cutLine(match.text.trim(), 200) })),
      },
    });
  },
});

type Lines = Matches["matches"];

/** The lines up to the last match that is shown. */
function firstMatches(lines: Lines): Lines {
  let matches = 0;
  const end = lines.findIndex(({ isNear }, i) => i >= MAX_LINES || (!isNear && ++matches > MAX_SHOWN));
  return end < 0 ? lines : lines.slice(0, end);
}

/** Groups the lines by file. With lines around the matches, `--` is between those that do not follow each other. */
function byFile(lines: Lines, context: number): string {
  return lines
    .flatMap((each, i) => {
      const before = lines[i - 1];
      const line = `  ${each.line}${each.isNear ? "-" : ":"} ${cutLine(context === 0 ? each.text.trim() : each.text, MAX_CHARACTERS)}`;
      if (each.path !== before?.path) return [each.path, line];
      return context > 0 && each.line > before.line + 1 ? ["  --", line] : [line];
    })
    .join("\n");
}
