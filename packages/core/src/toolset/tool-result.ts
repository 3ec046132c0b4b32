import type { Toolset } from "../protocol/toolset.ts";
import type { ToolCatalog } from "./catalog.ts";
import { definitions } from "./definition.ts";
import { availableChosenTools, toolsetGaps, listingKey, createListing } from "./listing.ts";
import { reduceToolset, type ToolsetState, type ToolsetEvent } from "./toolset-state.ts";

export type ToolsetAnswer = { ok: true } & Record<string, unknown>;

/** What is to be committed, in one step, and what is answered then. Without events nothing changed. */
export type ToolsetResult = { ok: true; events: ToolsetEvent[]; after: ToolsetState; answer: ToolsetAnswer };

export const unchanged = (standing: ToolsetState, answer: Record<string, unknown>): ToolsetResult => ({
  ok: true,
  events: [],
  after: standing,
  answer: { ok: true, ...answer },
});

/** A change; where another list follows from it, that is said by one event more. `answer` is told how it stands then. */
export function changed(
  events: readonly ToolsetEvent[],
  before: ToolsetState,
  catalogue: ToolCatalog,
  answer: (after: ToolsetState) => Record<string, unknown>,
): ToolsetResult {
  const then = events.reduce(reduceToolset, before);
  const isOther = listingKey(before, catalogue) !== listingKey(then, catalogue);
  const told: ToolsetEvent[] = isOther ? [...events, { type: "tools.changed" }] : [...events];
  const after = isOther ? reduceToolset(then, { type: "tools.changed" }) : then;
  return { ok: true, events: told, after, answer: { ok: true, ...answer(after) } };
}

export const profileMode = ({ configuring }: ToolsetState): "configuration" | "normal" => (configuring ? "configuration" : "normal");

/** The names that may be called from now on, with what the configuration tools are for. */
export function availableTools(standing: ToolsetState, catalogue: ToolCatalog): { name: string; purpose: string }[] {
  const { configuration, search, chosen } = createListing(standing, catalogue);
  return [
    ...chosen.map(({ tool }) => ({ name: tool.name, purpose: tool.hints.title ?? firstLine(tool.description) })),
    ...search.map((name) => ({ name, purpose: "look for the equipped tools and call them" })),
    ...configuration.map((name) => ({ name, purpose: definitions[name].purpose })),
  ];
}

const firstLine = (text: string): string => (text.split("\n", 1)[0] ?? "").slice(0, 120);

/** A toolset as an answer shows it. Times are epoch milliseconds. */
export function toolsetRow(toolset: Toolset, { equipped }: ToolsetState, catalogue: ToolCatalog) {
  const chosen = availableChosenTools(toolset, catalogue);
  return {
    name: toolset.name,
    description: toolset.description,
    created: toolset.createdAt,
    modified: toolset.modifiedAt,
    toolCount: toolset.tools.length,
    available: chosen.length,
    ...toolsetGaps(toolset, catalogue),
    tokens: tokensOf(chosen.map(({ tool }) => tool)),
    active: equipped?.name === toolset.name,
  };
}

export const tokensOf = (tools: readonly { tokens: number }[]): number => tools.reduce((sum, { tokens }) => sum + tokens, 0);
