import type { Toolset } from "../protocol/toolset/toolset-profile.ts";
import type { ToolCatalog, CatalogTool } from "./tool-catalog.ts";
import { toolsetTools, configurationModeTools, type ToolsetTool } from "./toolset-inputs.ts";
import type { ToolsetState } from "./toolset-selection-state.ts";

/** A selected tool with its notes. */
export type ChosenTool = { tool: CatalogTool; notes: readonly string[] };

/** The tools that replace the selected ones under the policy `search`. */
export const toolSearchTools = ["find-tools", "describe-tool", "call-tool"] as const;
export type SearchTool = (typeof toolSearchTools)[number];

export type ExposedTools = { configuration: readonly ToolsetTool[]; search: readonly SearchTool[]; chosen: readonly ChosenTool[] };

/** The tools that a client sees. Only these may be called, besides the configuration tools, which always may. */
export function exposedTools(state: ToolsetState, catalog: ToolCatalog): ExposedTools {
  const chosen = state.equipped ? availableChosenTools(state.equipped, catalog) : [];
  switch (state.policy) {
    case "dual":
      return state.configuring
        ? { configuration: configurationModeTools, search: [], chosen: [] }
        : { configuration: ["enter-configuration-mode"], search: [], chosen };
    case "flat":
      return { configuration: toolsetTools, search: [], chosen };
    case "search":
      return { configuration: toolsetTools, search: toolSearchTools, chosen: [] };
    case "proxy":
      return { configuration: [], search: [], chosen: ofServer(state.proxied, catalog) };
  }
}

const ofServer = (server: string | undefined, { tools }: ToolCatalog): ChosenTool[] =>
  tools.filter((tool) => tool.server === server).map((tool) => ({ tool, notes: [] }));

/**
 * The servers whose resources and prompts clients may use: those with a tool in the equipped toolset, or the server of a proxy.
 * Configuration mode makes no difference.
 */
export function sharedServers({ policy, proxied, equipped }: ToolsetState, catalog: ToolCatalog): ReadonlySet<string> {
  if (policy === "proxy") return new Set(proxied === undefined ? [] : [proxied]);
  return new Set(equipped ? availableChosenTools(equipped, catalog).map(({ tool }) => tool.server) : []);
}

/** The tools of a toolset that are available and unchanged, in its order. */
export function availableChosenTools({ tools }: Toolset, catalog: ToolCatalog): ChosenTool[] {
  const known = new Map(catalog.tools.map((tool) => [tool.name, tool]));
  return tools.flatMap(({ name, hash, notes }) => {
    const tool = known.get(name);
    return tool?.refId === hash ? [{ tool, notes: notes.map(({ name: about, note }) => `User note (${about}): ${note}`) }] : [];
  });
}

/** The tools of a toolset that are unavailable, and those that have changed since they were selected. */
export function toolsetGaps({ tools }: Toolset, catalog: ToolCatalog): { missing: string[]; changed: string[] } {
  const known = new Map(catalog.tools.map((tool) => [tool.name, tool.refId]));
  return {
    missing: tools.filter(({ name }) => !known.has(name)).map(({ name }) => name),
    changed: tools.filter(({ name, hash }) => known.has(name) && known.get(name) !== hash).map(({ name }) => name),
  };
}

/** A text that is equal for states with the same list of tools. */
export function listingKey(state: ToolsetState, catalog: ToolCatalog): string {
  const { configuration, search, chosen } = exposedTools(state, catalog);
  return JSON.stringify([configuration, search, chosen.map(({ tool, notes }) => [tool.name, tool.refId, notes])]);
}
