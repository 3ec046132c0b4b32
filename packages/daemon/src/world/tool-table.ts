import type { Toolset } from "@baton/core/protocol/toolset";
import type { CatalogueTool } from "../mcp/host.ts";
import { annotated } from "../mcp/tool.ts";
import type { Tool } from "../tool/define.ts";
import { toolByName } from "../tool/index.ts";
import { enterOfEndpoint, toolsets } from "../tool/toolset.ts";

type Tools = Pick<ReadonlyMap<string, Tool>, "get" | "values">;

/** The tools that are built in, and after them those of servers: all, none (null), or those of a toolset with its notes. */
export function openToolTable(): (catalogue: readonly CatalogueTool[], equipped: Toolset | null | undefined, outside: boolean) => Tools {
  const all = new WeakMap<readonly CatalogueTool[], Tools>();
  const chosen = new WeakMap<Toolset, { of: readonly CatalogueTool[]; tools: Tools }>();
  return (catalogue, equipped, outside) => {
    if (outside) return ofEndpoint(catalogue);
    if (catalogue.length === 0 || equipped === null) return toolByName;
    if (equipped === undefined) {
      const known = all.get(catalogue) ?? tableOf(catalogue);
      all.set(catalogue, known);
      return known;
    }
    const known = chosen.get(equipped);
    if (known?.of === catalogue) return known.tools;
    const tools = tableOf(chosenOf(catalogue, equipped));
    chosen.set(equipped, { of: catalogue, tools });
    return tools;
  };
}

/** Other agents have no tools of ours but those for choosing. */
function ofEndpoint(catalogue: readonly CatalogueTool[]): Tools {
  const own = toolsets.map((tool) => (tool.name === enterOfEndpoint.name ? enterOfEndpoint : tool));
  return new Map([...own.map((tool) => [tool.name, tool] as const), ...catalogue.map(({ name, tool }) => [name, tool] as const)]);
}

function tableOf(catalogue: readonly CatalogueTool[]): Tools {
  const ofServers = new Map(catalogue.map(({ name, tool }) => [name, tool]));
  const all = new Map([...[...toolByName.values()].map((tool) => [tool.name, tool] as const), ...ofServers]);
  return { get: (name) => toolByName.get(name) ?? ofServers.get(name), values: () => all.values() };
}

/** Those that are what they were when they were chosen. */
function chosenOf(catalogue: readonly CatalogueTool[], { tools }: Toolset): CatalogueTool[] {
  const known = new Map(catalogue.map((each) => [each.name, each]));
  return tools.flatMap(({ name, hash, notes }) => {
    const found = known.get(name);
    return found?.listed.hash === hash ? [{ ...found, tool: annotated(found.tool, notes) }] : [];
  });
}
