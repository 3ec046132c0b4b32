import type { Toolset } from "@baton/core/protocol/toolset/toolset-profile";
import { canonicalToolName } from "@baton/core/tool/tool-table";
import { getPrompt } from "../../mcp/tools/get-prompt.ts";
import type { OfferedServerTools } from "../../mcp/server-manager.ts";
import { readResource } from "../../mcp/tools/read-resource.ts";
import { withAnnotations } from "../../mcp/tools/mcp-tool.ts";
import type { Tool } from "../../tool/tool-types.ts";
import { toolByName } from "../../tool/builtin-tools.ts";
import { enterOfEndpoint, toolsetManagementTools } from "../../tool/modes/toolset-tools.ts";

type Tools = Pick<ReadonlyMap<string, Tool>, "get" | "values">;

/** The built-in tools, followed by those of servers: all of them, none (null), or those of a toolset with its notes. */
export function openToolTable(): (offering: OfferedServerTools, equipped: Toolset | null | undefined, outside: boolean) => Tools {
  const outsiders = new WeakMap<OfferedServerTools, Tools>();
  const all = new WeakMap<OfferedServerTools, Tools>();
  const chosen = new WeakMap<Toolset, { of: OfferedServerTools; tools: Tools }>();
  return (offering, equipped, outside) => {
    if (outside) return cached(outsiders, offering, () => ofEndpoint(offering));
    if (offering.servers.length === 0 || equipped === null) return toolByName;
    if (equipped === undefined) return cached(all, offering, () => toTable(offering));
    const known = chosen.get(equipped);
    if (known?.of === offering) return known.tools;
    const tools = toTable(chooseTools(offering, equipped));
    chosen.set(equipped, { of: offering, tools });
    return tools;
  };
}

const withFiles = new WeakMap<Tools, { files: readonly Tool[]; tools: Tools }>();

/** A table with tools that are files. A tool of the table with the same name comes first. */
export function withScriptTools(table: Tools, files: readonly Tool[]): Tools {
  if (files.length === 0) return table;
  const known = withFiles.get(table);
  if (known?.files === files) return known.tools;
  const own = new Map(files.map((tool) => [tool.name, tool]));
  const tools: Tools = {
    get: (name) => table.get(name) ?? own.get(name),
    values: () => [...table.values(), ...files].values(),
  };
  withFiles.set(table, { files, tools });
  return tools;
}

/** An offering keeps its identity while nothing in it changes, and every call needs its tables. */
function cached(tables: WeakMap<OfferedServerTools, Tools>, offering: OfferedServerTools, make: () => Tools): Tools {
  const known = tables.get(offering) ?? make();
  tables.set(offering, known);
  return known;
}

/** Other agents get only the tools for choosing tools, and those for resources and prompts. */
function ofEndpoint({ tools, servers }: OfferedServerTools): Tools {
  const choosing = toolsetManagementTools.map((tool) => (tool.name === enterOfEndpoint.name ? enterOfEndpoint : tool));
  const reading = readResource(servers);
  const own = [...choosing, ...(reading ? [reading] : []), getPrompt(servers)];
  return new Map([...own.map((tool) => [tool.name, tool] as const), ...tools.map(({ name, tool }) => [name, tool] as const)]);
}

function toTable({ tools, servers }: OfferedServerTools): Tools {
  const reading = readResource(servers);
  const ofServers = new Map([
    ...tools.map(({ name, tool }) => [name, tool] as const),
    ...(reading ? [[reading.name, reading] as const] : []),
  ]);
  const all = new Map([...[...toolByName.values()].map((tool) => [tool.name, tool] as const), ...ofServers]);
  return { get: (name) => toolByName.get(name) ?? ofServers.get(canonicalToolName(name)), values: () => all.values() };
}

/** The chosen tools that have not changed since, and their servers. */
function chooseTools({ tools: all, servers }: OfferedServerTools, { tools }: Toolset): OfferedServerTools {
  const known = new Map(all.map((each) => [each.name, each]));
  const chosen = tools.flatMap(({ name, hash, notes }) => {
    const found = known.get(name);
    return found?.refId === hash ? [{ ...found, tool: withAnnotations(found.tool, notes) }] : [];
  });
  return { tools: chosen, servers: servers.filter(({ definition }) => chosen.some(({ server }) => server === definition.name)) };
}
