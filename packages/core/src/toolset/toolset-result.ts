import type { Toolset } from "../protocol/toolset/toolset-profile.ts";
import type { ToolCatalog } from "./tool-catalog.ts";
import { toolsetToolDefinitions } from "./toolset-inputs.ts";
import { availableChosenTools, toolsetGaps, listingKey, exposedTools } from "./exposed-tools.ts";
import { reduceToolset, type ToolsetState, type ToolsetEvent } from "./toolset-selection-state.ts";

export type ToolsetAnswer = { ok: true } & Record<string, unknown>;

/** The events to commit in one step, and the answer. Without events nothing changed. */
export type ToolsetResult = { ok: true; events: ToolsetEvent[]; after: ToolsetState; answer: ToolsetAnswer };

export const unchangedResult = (state: ToolsetState, answer: Record<string, unknown>): ToolsetResult => ({
  ok: true,
  events: [],
  after: state,
  answer: { ok: true, ...answer },
});

/** A change. If it changes the list of tools, another event says so. `answer` gets the state after all events. */
export function changedResult(
  events: readonly ToolsetEvent[],
  before: ToolsetState,
  catalog: ToolCatalog,
  answer: (after: ToolsetState) => Record<string, unknown>,
): ToolsetResult {
  const then = events.reduce(reduceToolset, before);
  const isListChanged = listingKey(before, catalog) !== listingKey(then, catalog);
  const allEvents: ToolsetEvent[] = isListChanged ? [...events, { type: "tools.changed" }] : [...events];
  const after = isListChanged ? reduceToolset(then, { type: "tools.changed" }) : then;
  return { ok: true, events: allEvents, after, answer: { ok: true, ...answer(after) } };
}

export const toolsetMode = ({ configuring }: ToolsetState): "configuration" | "normal" => (configuring ? "configuration" : "normal");

/** The tools that may be called from now on, and their purpose. */
export function callableTools(state: ToolsetState, catalog: ToolCatalog): { name: string; purpose: string }[] {
  const { configuration, search, chosen } = exposedTools(state, catalog);
  return [
    ...chosen.map(({ tool }) => ({ name: tool.name, purpose: tool.hints.title ?? firstLine(tool.description) })),
    ...search.map((name) => ({ name, purpose: "find the equipped tools and call them" })),
    ...configuration.map((name) => ({ name, purpose: toolsetToolDefinitions[name].purpose })),
  ];
}

const firstLine = (text: string): string => (text.split("\n", 1)[0] ?? "").slice(0, 120);

/** A toolset as answers show it. Times are in epoch milliseconds. */
export function toolsetRow(toolset: Toolset, { equipped }: ToolsetState, catalog: ToolCatalog) {
  const chosen = availableChosenTools(toolset, catalog);
  return {
    name: toolset.name,
    description: toolset.description,
    created: toolset.createdAt,
    modified: toolset.modifiedAt,
    toolCount: toolset.tools.length,
    available: chosen.length,
    ...toolsetGaps(toolset, catalog),
    tokens: tokensOf(chosen.map(({ tool }) => tool)),
    active: equipped?.name === toolset.name,
  };
}

export const tokensOf = (tools: readonly { tokens: number }[]): number => tools.reduce((sum, { tokens }) => sum + tokens, 0);
