import path from "node:path";
import { formatCount } from "@baton/core/text/format";
import { toolFields } from "@baton/core/tool/tool-table";
import * as z from "zod";
import { toolArguments } from "../input-schema.ts";
import { escapeHidden } from "../result-text.ts";
import { actingTool, failed, inputField, ok } from "../tool-types.ts";

const MAX_QUERY = 1_000;

export const codebaseSearch = actingTool({
  ...toolFields("codebase_search"),
  description: "Find the code that a question in words or names is about, best first. For exact text use search_text.",
  input: toolArguments({
    query: z.string().min(1),
    path: z.string().min(1).optional(),
  }),
  label: (input) => ({ verb: "search", object: escapeHidden(inputField(input, "query")) }),
  access: ({ path: folder = "." }) => [{ action: "read", resource: folder }],
  run: async ({ query, path: folder = "." }, { ports, cwd, codeSearch, signal }) => {
    const relative = path.relative(cwd, path.resolve(cwd, folder)).split(path.sep).join("/");
    if (path.isAbsolute(relative) || relative.split("/")[0] === "..")
      return failed(`${folder} is outside of the workspace, which codebase_search does not search. Use search_text.`);
    const result = await codeSearch(
      cwd,
      { query: query.slice(0, MAX_QUERY), below: relative === "" ? undefined : relative },
      (file) => ports.search.mayShow(file),
      signal,
    );
    if ("fault" in result) return failed(`${result.fault} Use search_text or glob instead.`);
    const { found, notes } = result;
    if (found.length === 0) return ok(["No file that you may read has these words. Try others.", ...notes].join("\n"), { end: "none" });
    const parts = found.flatMap(({ path: file, excerpts }) =>
      excerpts.length === 0 ? [escapeHidden(file)] : excerpts.map((part) => excerptText(file, part)),
    );
    return ok([...parts, ...notes].join("\n"), {
      end: formatCount(found.length, "file"),
      view: {
        type: "files",
        files: found.flatMap(({ path: file, excerpts }) =>
          excerpts.length === 0
            ? [{ path: file }]
            : excerpts.map(({ from, lines, symbol }) => ({ path: file, line: from, note: symbol ?? lines[0]?.trim() ?? "" })),
        ),
      },
    });
  },
});

function excerptText(
  file: string,
  { from, to, symbol, lines }: { from: number; to: number; symbol: string | undefined; lines: readonly string[] },
): string {
  const head = `${escapeHidden(file)}:${from}${to > from ? `-${to}` : ""}${symbol === undefined ? "" : ` in ${symbol}`}`;
  return [head, ...lines.map((line, i) => `  ${from + i}: ${line}`)].join("\n");
}
