import type { Toolset } from "../protocol/toolset.ts";
import type { Catalogue } from "./catalog.ts";
import { definitions } from "./definition.ts";
import { chosenOf, gapsOf, listingKey, listingOf } from "./listing.ts";
import { reduceStanding, type Standing, type StandingEvent } from "./toolset-state.ts";

export type Answer = { ok: true } & Record<string, unknown>;

/** What is to be committed, in one step, and what is answered then. Without events nothing changed. */
export type Acted = { ok: true; events: StandingEvent[]; after: Standing; answer: Answer };

export const unchanged = (standing: Standing, answer: Record<string, unknown>): Acted => ({
  ok: true,
  events: [],
  after: standing,
  answer: { ok: true, ...answer },
});

/** A change; where another list follows from it, that is said by one event more. `answer` is told how it stands then. */
export function changed(
  events: readonly StandingEvent[],
  before: Standing,
  catalogue: Catalogue,
  answer: (after: Standing) => Record<string, unknown>,
): Acted {
  const then = events.reduce(reduceStanding, before);
  const isOther = listingKey(before, catalogue) !== listingKey(then, catalogue);
  const told: StandingEvent[] = isOther ? [...events, { type: "tools.changed" }] : [...events];
  const after = isOther ? reduceStanding(then, { type: "tools.changed" }) : then;
  return { ok: true, events: told, after, answer: { ok: true, ...answer(after) } };
}

export const modeOf = ({ configuring }: Standing): "configuration" | "normal" => (configuring ? "configuration" : "normal");

/** The names that may be called from now on, with what the configuration tools are for. */
export function availableTools(standing: Standing, catalogue: Catalogue): { name: string; purpose: string }[] {
  const { configuration, search, chosen } = listingOf(standing, catalogue);
  return [
    ...chosen.map(({ tool }) => ({ name: tool.name, purpose: tool.hints.title ?? firstLine(tool.description) })),
    ...search.map((name) => ({ name, purpose: "look for the equipped tools and call them" })),
    ...configuration.map((name) => ({ name, purpose: definitions[name].purpose })),
  ];
}

const firstLine = (text: string): string => (text.split("\n", 1)[0] ?? "").slice(0, 120);

/** A toolset as an answer shows it. Times are epoch milliseconds. */
export function toolsetRow(toolset: Toolset, { equipped }: Standing, catalogue: Catalogue) {
  const chosen = chosenOf(toolset, catalogue);
  return {
    name: toolset.name,
    description: toolset.description,
    created: toolset.createdAt,
    modified: toolset.modifiedAt,
    toolCount: toolset.tools.length,
    available: chosen.length,
    ...gapsOf(toolset, catalogue),
    tokens: tokensOf(chosen.map(({ tool }) => tool)),
    active: equipped?.name === toolset.name,
  };
}

export const tokensOf = (tools: readonly { tokens: number }[]): number => tools.reduce((sum, { tokens }) => sum + tokens, 0);
