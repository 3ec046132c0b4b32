import type { Toolset } from "../protocol/toolset.ts";
import type { ToolCatalog, CatalogTool } from "./catalog.ts";
import { toolsetTools, whileConfiguring, type ToolsetTool } from "./definition.ts";
import type { ToolsetState } from "./toolset-state.ts";

/** A chosen tool, with what was written beside it. */
export type ChosenTool = { tool: CatalogTool; notes: readonly string[] };

/** Tools in place of the chosen ones, where these are too many to list. */
export const searchTools = ["find-tools", "describe-tool", "call-tool"] as const;
export type SearchTool = (typeof searchTools)[number];

export type Listing = { configuration: readonly ToolsetTool[]; search: readonly SearchTool[]; chosen: readonly ChosenTool[] };

/** What is listed. The same answer says what may be called, but that the configuration tools always may. */
export function createListing(standing: ToolsetState, catalogue: ToolCatalog): Listing {
  const chosen = standing.equipped ? availableChosenTools(standing.equipped, catalogue) : [];
  switch (standing.policy) {
    case "dual":
      return standing.configuring
        ? { configuration: whileConfiguring, search: [], chosen: [] }
        : { configuration: ["enter-configuration-mode"], search: [], chosen };
    case "flat":
      return { configuration: toolsetTools, search: [], chosen };
    case "search":
      return { configuration: toolsetTools, search: searchTools, chosen: [] };
    case "proxy":
      return { configuration: [], search: [], chosen: ofServer(standing.proxied, catalogue) };
  }
}

const ofServer = (server: string | undefined, { tools }: ToolCatalog): ChosenTool[] =>
  tools.filter((tool) => tool.server === server).map((tool) => ({ tool, notes: [] }));

/**
 * The servers whose resources and prompts are lent: those of which the equipped toolset has a tool, or the one of a proxy. Whether
 * the toolset is being changed at the moment makes no difference.
 */
export function sharedServers({ policy, proxied, equipped }: ToolsetState, catalogue: ToolCatalog): ReadonlySet<string> {
  if (policy === "proxy") return new Set(proxied === undefined ? [] : [proxied]);
  return new Set(equipped ? availableChosenTools(equipped, catalogue).map(({ tool }) => tool.server) : []);
}

/** The tools of a toolset that are there and are what they were when they were chosen, in its order. */
export function availableChosenTools({ tools }: Toolset, catalogue: ToolCatalog): ChosenTool[] {
  const known = new Map(catalogue.tools.map((tool) => [tool.name, tool]));
  return tools.flatMap(({ name, hash, notes }) => {
    const tool = known.get(name);
    return tool?.refId === hash ? [{ tool, notes: notes.map(({ name: about, note }) => `User note (${about}): ${note}`) }] : [];
  });
}

/** Tools of a toolset that are not there, and those that are not what they were. */
export function toolsetGaps({ tools }: Toolset, catalogue: ToolCatalog): { missing: string[]; changed: string[] } {
  const known = new Map(catalogue.tools.map((tool) => [tool.name, tool.refId]));
  return {
    missing: tools.filter(({ name }) => !known.has(name)).map(({ name }) => name),
    changed: tools.filter(({ name, hash }) => known.has(name) && known.get(name) !== hash).map(({ name }) => name),
  };
}

/** Two standings that list the same have the same. */
export function listingKey(standing: ToolsetState, catalogue: ToolCatalog): string {
  const { configuration, search, chosen } = createListing(standing, catalogue);
  return JSON.stringify([configuration, search, chosen.map(({ tool, notes }) => [tool.name, tool.refId, notes])]);
}
