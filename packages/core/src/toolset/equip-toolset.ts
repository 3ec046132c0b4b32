import type { Toolset } from "../protocol/toolset/toolset-profile.ts";
import { callableTools, changedResult, toolsetMode, tokensOf, toolsetRow, unchangedResult, type ToolsetResult } from "./toolset-result.ts";
import type { ToolCatalog } from "./tool-catalog.ts";
import type { InputOf } from "./toolset-inputs.ts";
import { toolsetFailure, suggestNames, type ToolsetFailure } from "./toolset-tool-failure.ts";
import { availableChosenTools, toolsetGaps } from "./exposed-tools.ts";
import { toolsetOf, type ToolsetState, type ToolsetEvent } from "./toolset-selection-state.ts";

export function equipToolset(
  { name, acceptChanges = false }: InputOf<"equip-toolset">,
  state: ToolsetState,
  catalog: ToolCatalog,
  now: number,
): ToolsetResult | ToolsetFailure {
  const saved = toolsetOf(state, name);
  if (!saved) return toolsetFailure("not_found", `There is no toolset ${name}.`, suggestNames(name, Object.keys(state.toolsets)));
  return equipSavedToolset(saved, [], acceptChanges, state, catalog, now);
}

/** Equips a toolset after the events `before`, which save it. Fails if none of its tools can be used. */
export function equipSavedToolset(
  saved: Toolset,
  before: readonly ToolsetEvent[],
  acceptChanges: boolean,
  state: ToolsetState,
  catalog: ToolCatalog,
  now: number,
): ToolsetResult | ToolsetFailure {
  const gaps = toolsetGaps(saved, catalog);
  const isAccepting = acceptChanges && gaps.changed.length > 0;
  const toolset = isAccepting ? acceptChangedTools(saved, catalog, now) : saved;
  const chosen = availableChosenTools(toolset, catalog);
  if (chosen.length === 0) return toolsetFailure("unavailable", unusableMessage(saved.name, gaps), [...gaps.missing, ...gaps.changed]);
  const available = chosen.map(({ tool }) => tool.name);
  const availableBefore =
    state.equipped && !state.configuring ? availableChosenTools(state.equipped, catalog).map(({ tool }) => tool.name) : [];
  const answer = (after: ToolsetState, isChanged: boolean) => ({
    toolset: toolsetRow(toolset, after, catalog),
    mode: toolsetMode(after),
    changed: isChanged,
    added: available.filter((tool) => !availableBefore.includes(tool)),
    removed: availableBefore.filter((tool) => !available.includes(tool)),
    missing: gaps.missing,
    withheld: isAccepting ? [] : gaps.changed,
    tokens: tokensOf(chosen.map(({ tool }) => tool)),
    availableTools: callableTools(after, catalog).map(({ name }) => name),
    revision: after.revision,
    ...(!isAccepting && gaps.changed.length > 0
      ? { warning: "Tools that have changed since they were selected are withheld. Pass acceptChanges to use them as they are now." }
      : {}),
  });
  const isSame = state.equipped !== null && JSON.stringify(state.equipped) === JSON.stringify(toolset);
  const events: ToolsetEvent[] = [
    ...before,
    ...(isAccepting ? [{ type: "toolset.saved", toolset } as const] : []),
    ...(isSame && before.length === 0 ? [] : [{ type: "toolset.equipped", name: toolset.name } as const]),
    ...(state.configuring ? [{ type: "configuration.left" } as const] : []),
  ];
  if (events.length === 0) return unchangedResult(state, answer(state, false));
  return changedResult(events, state, catalog, (after) => answer(after, true));
}

/** The toolset with its tools as they are now. */
function acceptChangedTools(toolset: Toolset, catalog: ToolCatalog, now: number): Toolset {
  const known = new Map(catalog.tools.map(({ name, refId }) => [name, refId]));
  return { ...toolset, modifiedAt: now, tools: toolset.tools.map((pin) => ({ ...pin, hash: known.get(pin.name) ?? pin.hash })) };
}

function unusableMessage(name: string, { missing, changed: others }: ReturnType<typeof toolsetGaps>): string {
  if (others.length === 0) return `None of the tools of ${name} is available, so nothing was changed. Missing: ${missing.join(", ")}.`;
  return `All available tools of ${name} have changed since they were selected, so nothing was changed. Changed: ${others.join(", ")}. Look at them, then call with acceptChanges: true.`;
}
