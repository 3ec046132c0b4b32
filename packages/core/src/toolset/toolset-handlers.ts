import { callableTools, changedResult, toolsetMode, tokensOf, toolsetRow, unchangedResult, type ToolsetResult } from "./toolset-result.ts";
import type { ToolCatalog } from "./tool-catalog.ts";
import type { InputOf } from "./toolset-inputs.ts";
import { toolsetFailure, suggestNames, type ToolsetFailure } from "./toolset-tool-failure.ts";
import { availableChosenTools, toolsetGaps } from "./exposed-tools.ts";
import { toolsetOf, type ToolsetState } from "./toolset-selection-state.ts";

export function enterConfiguration(state: ToolsetState, catalog: ToolCatalog): ToolsetResult {
  const answer = (after: ToolsetState, isChanged: boolean) => ({
    mode: toolsetMode(after),
    changed: isChanged,
    revision: after.revision,
    toolset: after.equipped?.name ?? null,
    availableTools: callableTools(after, catalog),
  });
  if (state.configuring) return unchangedResult(state, answer(state, false));
  return changedResult([{ type: "configuration.entered" }], state, catalog, (after) => answer(after, true));
}

export function exitConfiguration(state: ToolsetState, catalog: ToolCatalog): ToolsetResult {
  const answer = (after: ToolsetState, isChanged: boolean) => {
    const { equipped } = after;
    const { missing } = equipped ? toolsetGaps(equipped, catalog) : { missing: [] };
    return {
      mode: toolsetMode(after),
      changed: isChanged,
      revision: after.revision,
      toolset: equipped?.name ?? null,
      availableTools: callableTools(after, catalog).map(({ name }) => name),
      ...(missing.length > 0 ? { missing } : {}),
      ...(equipped
        ? {}
        : { warning: "No toolset is equipped, so no MCP tools are available. Call enter-configuration-mode to equip one." }),
    };
  };
  if (!state.configuring) return unchangedResult(state, answer(state, false));
  return changedResult([{ type: "configuration.left" }], state, catalog, (after) => answer(after, true));
}

export function listSavedToolsets(state: ToolsetState, catalog: ToolCatalog): ToolsetResult {
  const toolsets = Object.values(state.toolsets)
    .map((toolset) => toolsetRow(toolset, state, catalog))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  return unchangedResult(state, { toolsets, revision: state.revision });
}

/** Always ends in configuration mode. */
export function unequipActiveToolset(state: ToolsetState, catalog: ToolCatalog): ToolsetResult {
  const previous = state.equipped?.name ?? null;
  const answer = (after: ToolsetState) => ({
    changed: after !== state,
    previous,
    mode: toolsetMode(after),
    revision: after.revision,
    availableTools: callableTools(after, catalog).map(({ name }) => name),
  });
  const events = [...(previous === null ? [] : [{ type: "toolset.unequipped" } as const]), ...entering(state)];
  return events.length === 0 ? unchangedResult(state, answer(state)) : changedResult(events, state, catalog, answer);
}

const entering = ({ configuring }: ToolsetState): { type: "configuration.entered" }[] =>
  configuring ? [] : [{ type: "configuration.entered" }];

export function deleteSavedToolset(
  { name, confirm }: InputOf<"delete-toolset">,
  state: ToolsetState,
  catalog: ToolCatalog,
): ToolsetResult | ToolsetFailure {
  if (!confirm) return toolsetFailure("invalid_argument", `Deleting ${name} cannot be undone. Call again with confirm: true to delete it.`);
  if (!toolsetOf(state, name))
    return toolsetFailure("not_found", `There is no toolset ${name}.`, suggestNames(name, Object.keys(state.toolsets)));
  const wasActive = state.equipped?.name === name;
  const before = wasActive ? [{ type: "toolset.unequipped" } as const, ...entering(state)] : [];
  return changedResult([...before, { type: "toolset.deleted", name }], state, catalog, (after) => ({
    deleted: name,
    wasActive,
    mode: toolsetMode(after),
    revision: after.revision,
  }));
}

export function describeActiveToolset(state: ToolsetState, catalog: ToolCatalog): ToolsetResult {
  const { equipped } = state;
  const chosen = equipped ? availableChosenTools(equipped, catalog) : [];
  const { missing, changed: others } = equipped ? toolsetGaps(equipped, catalog) : { missing: [], changed: [] };
  const exposed: Record<string, string[]> = {};
  for (const { tool } of chosen) (exposed[tool.server] ??= []).push(tool.name);
  const serversWith = (status: string) => catalog.servers.filter((server) => server.status === status);
  return unchangedResult(state, {
    equipped: equipped !== null,
    toolset: equipped && toolsetRow(equipped, state, catalog),
    exposed,
    counts: { exposed: chosen.length, discovered: catalog.tools.length, filtered: catalog.tools.length - chosen.length },
    servers: {
      configured: catalog.servers.length,
      enabled: catalog.servers.length - serversWith("disabled").length,
      available: serversWith("available").length,
      unavailable: serversWith("unavailable").map(({ name, error }) => ({ name, reason: error ?? "it is not available" })),
    },
    warnings: [
      ...missing.map((name) => `${name} is not available.`),
      ...others.map((name) => `${name} has changed; equip the toolset again with acceptChanges.`),
    ],
    tokens: tokensOf(chosen.map(({ tool }) => tool)),
    mode: toolsetMode(state),
    revision: state.revision,
  });
}
