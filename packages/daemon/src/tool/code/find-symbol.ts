import { formatCount } from "@baton/core/text/format";
import { toolFields } from "@baton/core/tool/tool-table";
import * as z from "zod";
import type { Ports } from "../../system/system-ports.ts";
import { toolArguments } from "../input-schema.ts";
import { explainPathError } from "../files/may-reveal-file.ts";
import { cutLine } from "../files/number-lines.ts";
import { escapeHidden } from "../result-text.ts";
import { actingTool, failed, inputField, ok, type ToolExecutionResult } from "../tool-types.ts";
import type { CodeLine, OutlineSymbol } from "./code-query-types.ts";

const MAX_SHOWN = 100;
const MAX_SYMBOLS = 300;
const MAX_CHARACTERS = 200;

export const findSymbol = actingTool({
  ...toolFields("find_symbol"),
  description: "Ask the language server where a symbol is defined, used or implemented, or for the outline of a file.",
  input: toolArguments({
    path: z.string().min(1),
    find: z.enum(["definition", "references", "implementations", "outline"]),
    symbol: z.string().min(1).optional().describe("not for outline"),
    line: z.int().min(1).optional().describe("of the symbol, default its first occurrence"),
  }),
  label: (input) => ({
    verb: "find",
    object: escapeHidden(`${inputField(input, "find")} ${inputField(input, "symbol")} ${inputField(input, "path")}`.trim()),
  }),
  // Places are in other files of the workspace, and each is judged by itself.
  access: ({ path, find }) => [path, ...(find === "outline" ? [] : ["."])].map((resource) => ({ action: "read", resource })),
  run: async ({ path, find, symbol, line }, { ports, cwd, code, signal }) => {
    const file = ports.files.stat(path);
    if ("fault" in file) return failed(explainPathError(file, path));
    if (find === "outline") {
      const symbols = await code.outline(cwd, file.relative, signal);
      return "fault" in symbols ? failed(symbols.fault) : outlineResult(file.relative, symbols);
    }
    if (symbol === undefined) return failed(`Send the name of the symbol to find its ${find}.`);
    const found = await code.find(cwd, find, { file: file.relative, symbol, line }, signal);
    return "fault" in found ? failed(found.fault) : placesResult(`${find} ${find === "references" ? "to" : "of"} ${symbol}`, found, ports);
  },
});

function outlineResult(file: string, symbols: readonly OutlineSymbol[]): ToolExecutionResult {
  if (symbols.length === 0) return ok(`${file} has no symbols.`, { end: "none" });
  const lines = symbols.slice(0, MAX_SYMBOLS).map(({ name, kind, line, depth }) => `${"  ".repeat(depth)}${line}: ${kind} ${name}`);
  const more = symbols.length > MAX_SYMBOLS ? [`… and ${symbols.length - MAX_SYMBOLS} more`] : [];
  return ok([...lines, ...more].join("\n"), { end: formatCount(symbols.length, "symbol") });
}

/** Shows only files that the agent may read without asking. */
function placesResult(
  what: string,
  { lines, outside }: { lines: readonly CodeLine[]; outside: number },
  { search }: Pick<Ports, "search">,
): ToolExecutionResult {
  const readable = lines.filter(({ file }) => search.mayShow(file));
  const left = lines.length - readable.length;
  const notes = [
    ...(readable.length > MAX_SHOWN ? [`… and ${readable.length - MAX_SHOWN} more`] : []),
    ...(left > 0 ? [`(${formatCount(left, "place")} without read permission omitted)`] : []),
    ...(outside > 0 ? [`(${formatCount(outside, "place")} outside of the workspace omitted)`] : []),
  ];
  if (readable.length === 0) return ok([`Found no ${what}.`, ...notes].join("\n"), { end: "none" });
  const places = readable
    .slice(0, MAX_SHOWN)
    .map(({ file, line, text }) => ({ path: file, line, note: cutLine(text.trim(), MAX_CHARACTERS) }));
  return ok([...places.map(({ path, line, note }) => `${path}:${line}: ${note}`), ...notes].join("\n"), {
    end: formatCount(readable.length, "place"),
    view: { type: "files", files: places },
  });
}
