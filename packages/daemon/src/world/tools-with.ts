import type { CatalogueTool } from "../mcp/host.ts";
import type { Tool } from "../tool/define.ts";
import { toolByName } from "../tool/index.ts";

type Tools = Pick<ReadonlyMap<string, Tool>, "get" | "values">;

const made = new WeakMap<readonly CatalogueTool[], Tools>();

/** The tools that are built in, and after them those of servers. */
export function toolsWith(catalogue: readonly CatalogueTool[]): Tools {
  if (catalogue.length === 0) return toolByName;
  const known = made.get(catalogue);
  if (known) return known;
  const ofServers = new Map(catalogue.map(({ name, tool }) => [name, tool]));
  const all = new Map([...[...toolByName.values()].map((tool) => [tool.name, tool] as const), ...ofServers]);
  const tools: Tools = { get: (name) => toolByName.get(name) ?? ofServers.get(name), values: () => all.values() };
  made.set(catalogue, tools);
  return tools;
}
