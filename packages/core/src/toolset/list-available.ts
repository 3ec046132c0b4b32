import { tokensOf, unchanged, type ToolsetResult } from "./tool-result.ts";
import type { ToolCatalog, CatalogTool } from "./catalog.ts";
import { MAX_LISTED, type InputOf } from "./definition.ts";
import { failure, suggested, type Failure } from "./failure.ts";
import type { ToolsetState } from "./toolset-state.ts";

const USUALLY = 100;
const SUMMARY = 160;
const MAX_CHARACTERS = 60_000;

export function listAvailable(
  { server, query = "", limit = USUALLY, cursor, detail = "summary" }: InputOf<"list-available-tools">,
  standing: ToolsetState,
  catalogue: ToolCatalog,
): ToolsetResult | Failure {
  const names = catalogue.servers.map(({ name }) => name);
  if (server !== undefined && !names.includes(server))
    return failure("not_found", `There is no server ${server}.`, suggested(server, names));
  const from = cursor === undefined ? 0 : Number(cursor);
  if (!Number.isInteger(from) || from < 0) return failure("invalid_argument", "This cursor is none of list-available-tools.");
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const found = catalogue.tools.filter((tool) => (server === undefined || tool.server === server) && holds(tool, words));
  const page = fitting(found.slice(from, from + Math.min(limit, MAX_LISTED)).map((tool) => rowOf(tool, detail, standing)));
  const total = tokensOf(catalogue.tools);
  return unchanged(standing, {
    summary: { tools: catalogue.tools.length, servers: catalogue.servers.length, tokens: total },
    servers: catalogue.servers.map(({ name, status, error }) => {
      const own = catalogue.tools.filter((tool) => tool.server === name);
      const tokens = tokensOf(own);
      const percent = total === 0 ? 0 : Math.round((tokens / total) * 100);
      return { name, status, tools: own.length, tokens, percent, ...(error === undefined ? {} : { error }) };
    }),
    tools: page,
    ...(from + page.length < found.length ? { nextCursor: String(from + page.length) } : {}),
    revision: standing.revision,
  });
}

/** As many as make a text that a model can read at once, one at least; the cursor leads on. */
function fitting<T>(rows: readonly T[]): T[] {
  let letters = 0;
  const over = rows.findIndex((row) => (letters += JSON.stringify(row).length) > MAX_CHARACTERS);
  return rows.slice(0, over < 0 ? rows.length : Math.max(1, over));
}

const holds = ({ name, description }: CatalogTool, words: readonly string[]): boolean => {
  const text = `${name} ${description}`.toLowerCase();
  return words.every((word) => text.includes(word));
};

function rowOf(tool: CatalogTool, detail: "names" | "summary" | "full", { toolsets }: ToolsetState) {
  const { name, refId, description, hints, tokens } = tool;
  if (detail === "names") return { name: tool.tool, namespacedName: name, refId };
  const inToolsets = Object.values(toolsets)
    .filter(({ tools }) => tools.some((pin) => pin.name === name))
    .map((toolset) => toolset.name)
    .sort();
  const said = detail === "full" || description.length <= SUMMARY ? description : `${description.slice(0, SUMMARY)}…`;
  return { name: tool.tool, namespacedName: name, refId, description: said, hints, tokens, inToolsets };
}
