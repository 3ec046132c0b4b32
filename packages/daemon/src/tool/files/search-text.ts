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
const MAX_CHARACTERS = 300;

export const searchText = actingTool({
  ...toolFields("search_text"),
  description: "Search files for a regular expression (Rust syntax, line by line). Skips ignored files.",
  input: toolArguments({
    pattern: z.string().min(1),
    path: z.string().min(1).optional().describe("folder or file, default the workspace"),
    glob: z.string().min(1).optional().describe("only these files, such as *.ts"),
  }),
  label: (input) => ({ verb: "search", object: escapeHidden(inputField(input, "pattern")) }),
  access: ({ path = "." }) => [{ action: "read", resource: path }],
  run: async ({ pattern, path = ".", glob }, context) => {
    const { ports, signal } = context;
    const found = await ports.search.text({ pattern, path, ...omitUndefined({ glob }) }, signal);
    if ("fault" in found) return failed(found.message);
    const { matches, capped } = found;
    const narrow = glob === undefined ? "" : ` in files ${glob}`;
    if (matches.length === 0)
      return (
        missingFileOutcome(path, context) ??
        ok(`No match for ${pattern} in ${path}${narrow}. Files that you may not read are not searched.`, { end: "none" })
      );
    const files = new Set(matches.map((match) => match.path)).size;
    const more =
      matches.length > MAX_SHOWN || capped
        ? `\n(${MAX_SHOWN} of ${formatNumber(matches.length)}${capped ? " or more" : ""} matches; narrow it down by path, glob or pattern)`
        : "";
    return ok(byFile(matches.slice(0, MAX_SHOWN)) + more, {
      end: `${formatNumber(matches.length)}${capped ? "+" : ""} in ${formatCount(files, "file")}`,
      view: {
        type: "files",
        files: matches.slice(0, MAX_SHOWN).map((match) => ({ path: match.path, line: match.line, note: cutLine(match.text.trim(), 200) })),
      },
    });
  },
});

/** Groups the matches by file. */
function byFile(matches: Matches["matches"]): string {
  let file = "";
  return matches
    .flatMap((match) => {
      const line = `  ${match.line}: ${cutLine(match.text.trim(), MAX_CHARACTERS)}`;
      if (match.path === file) return [line];
      file = match.path;
      return [match.path, line];
    })
    .join("\n");
}
