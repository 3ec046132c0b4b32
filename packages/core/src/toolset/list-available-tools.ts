import { omitUndefined } from "../text/omit-undefined.ts";
import { tokensOf, unchangedResult, type ToolsetResult } from "./toolset-result.ts";
import type { ToolCatalog, CatalogTool } from "./tool-catalog.ts";
import { MAX_LISTED_TOOLS, type InputOf } from "./toolset-inputs.ts";
import { toolsetFailure, suggestNames, type ToolsetFailure } from "./toolset-tool-failure.ts";
import type { ToolsetState } from "./toolset-selection-state.ts";

const DEFAULT_LIMIT = 100;
const MAX_SUMMARY = 160;
const MAX_CHARACTERS = 60_000;

export function listAvailableTools(
  { server, query = "", limit = DEFAULT_LIMIT, cursor, detail = "summary" }: InputOf<"list-available-tools">,
  state: ToolsetState,
  catalog: ToolCatalog,
): ToolsetResult | ToolsetFailure {
  const names = catalog.servers.map(({ name }) => name);
  if (server !== undefined && !names.includes(server))
    return toolsetFailure("not_found", `There is no server ${server}.`, suggestNames(server, names));
  const from = cursor === undefined ? 0 : Number(cursor);
  if (!Number.isInteger(from) || from < 0)
    return toolsetFailure("invalid_argument", "The cursor is invalid. Use nextCursor of list-available-tools.");
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const found = catalog.tools.filter((tool) => (server === undefined || tool.server === server) && containsAll(tool, words));
  const page = takeFitting(found.slice(from, from + Math.min(limit, MAX_LISTED_TOOLS)).map((tool) => toRow(tool, detail, state)));
  const total = tokensOf(catalog.tools);
  return unchangedResult(state, {
    summary: { tools: catalog.tools.length, servers: catalog.servers.length, tokens: total },
    servers: catalog.servers.map(({ name, status, error }) => {
      const own = catalog.tools.filter((tool) => tool.server === name);
      const tokens = tokensOf(own);
      const percent = total === 0 ? 0 : Math.round((tokens / total) * 100);
      return { name, status, tools: own.length, tokens, percent, ...omitUndefined({ error }) };
    }),
    tools: page,
    ...(from + page.length < found.length ? { nextCursor: String(from + page.length) } : {}),
    revision: state.revision,
  });
}

/** As many rows as a model can read at once, but at least one. The cursor leads to the rest. */
function takeFitting<T>(rows: readonly T[]): T[] {
  let characters = 0;
  const over = rows.findIndex((row) => (characters += JSON.stringify(row).length) > MAX_CHARACTERS);
  return rows.slice(0, over < 0 ? rows.length : Math.max(1, over));
}

const containsAll = ({ name, description }: CatalogTool, words: readonly string[]): boolean => {
  const text = `${name} ${description}`.toLowerCase();
  return words.every((word) => text.includes(word));
};

function toRow(tool: CatalogTool, detail: "names" | "summary" | "full", { toolsets }: ToolsetState) {
  const { name, refId, description, hints, tokens } = tool;
  if (detail === "names") return { name: tool.tool, namespacedName: name, refId };
  const inToolsets = Object.values(toolsets)
    .filter(({ tools }) => tools.some((pin) => pin.name === name))
    .map((toolset) => toolset.name)
    .sort();
  const shownDescription = detail === "full" || description.length <= MAX_SUMMARY ? description : `${description.slice(0, MAX_SUMMARY)}…`;
  return { name: tool.tool, namespacedName: name, refId, description: shownDescription, hints, tokens, inToolsets };
}
