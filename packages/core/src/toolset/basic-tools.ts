import { availableTools, changed, profileMode, tokensOf, toolsetRow, unchanged, type ToolsetResult } from "./tool-result.ts";
import type { ToolCatalog } from "./catalog.ts";
import type { InputOf } from "./definition.ts";
import { failure, suggested, type Failure } from "./failure.ts";
import { availableChosenTools, toolsetGaps } from "./listing.ts";
import { toolsetOf, type ToolsetState } from "./toolset-state.ts";

export function enter(standing: ToolsetState, catalogue: ToolCatalog): ToolsetResult {
  const answer = (after: ToolsetState, isChanged: boolean) => ({
    mode: profileMode(after),
    changed: isChanged,
    revision: after.revision,
    toolset: after.equipped?.name ?? null,
    availableTools: availableTools(after, catalogue),
  });
  if (standing.configuring) return unchanged(standing, answer(standing, false));
  return changed([{ type: "configuration.entered" }], standing, catalogue, (after) => answer(after, true));
}

export function exit(standing: ToolsetState, catalogue: ToolCatalog): ToolsetResult {
  const answer = (after: ToolsetState, isChanged: boolean) => {
    const { equipped } = after;
    const { missing } = equipped ? toolsetGaps(equipped, catalogue) : { missing: [] };
    return {
      mode: profileMode(after),
      changed: isChanged,
      revision: after.revision,
      toolset: equipped?.name ?? null,
      availableTools: availableTools(after, catalogue).map(({ name }) => name),
      ...(missing.length > 0 ? { missing } : {}),
      ...(equipped ? {} : { warning: "Nothing is equipped, so there are no operational tools. enter-configuration-mode leads back in." }),
    };
  };
  if (!standing.configuring) return unchanged(standing, answer(standing, false));
  return changed([{ type: "configuration.left" }], standing, catalogue, (after) => answer(after, true));
}

export function listSaved(standing: ToolsetState, catalogue: ToolCatalog): ToolsetResult {
  const toolsets = Object.values(standing.toolsets)
    .map((toolset) => toolsetRow(toolset, standing, catalogue))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  return unchanged(standing, { toolsets, revision: standing.revision });
}

/** Ends in configuration mode, whatever was before. */
export function unequip(standing: ToolsetState, catalogue: ToolCatalog): ToolsetResult {
  const previous = standing.equipped?.name ?? null;
  const answer = (after: ToolsetState) => ({
    changed: after !== standing,
    previous,
    mode: profileMode(after),
    revision: after.revision,
    availableTools: availableTools(after, catalogue).map(({ name }) => name),
  });
  const events = [...(previous === null ? [] : [{ type: "toolset.unequipped" } as const]), ...entering(standing)];
  return events.length === 0 ? unchanged(standing, answer(standing)) : changed(events, standing, catalogue, answer);
}

const entering = ({ configuring }: ToolsetState): { type: "configuration.entered" }[] =>
  configuring ? [] : [{ type: "configuration.entered" }];

export function remove(
  { name, confirm }: InputOf<"delete-toolset">,
  standing: ToolsetState,
  catalogue: ToolCatalog,
): ToolsetResult | Failure {
  if (!confirm) return failure("invalid_argument", `Deleting ${name} is for good. Call again with confirm: true if that is meant.`);
  if (!toolsetOf(standing, name))
    return failure("not_found", `There is no toolset ${name}.`, suggested(name, Object.keys(standing.toolsets)));
  const wasActive = standing.equipped?.name === name;
  const before = wasActive ? [{ type: "toolset.unequipped" } as const, ...entering(standing)] : [];
  return changed([...before, { type: "toolset.deleted", name }], standing, catalogue, (after) => ({
    deleted: name,
    wasActive,
    mode: profileMode(after),
    revision: after.revision,
  }));
}

export function active(standing: ToolsetState, catalogue: ToolCatalog): ToolsetResult {
  const { equipped } = standing;
  const chosen = equipped ? availableChosenTools(equipped, catalogue) : [];
  const { missing, changed: others } = equipped ? toolsetGaps(equipped, catalogue) : { missing: [], changed: [] };
  const exposed: Record<string, string[]> = {};
  for (const { tool } of chosen) (exposed[tool.server] ??= []).push(tool.name);
  const of = (status: string) => catalogue.servers.filter((server) => server.status === status);
  return unchanged(standing, {
    equipped: equipped !== null,
    toolset: equipped && toolsetRow(equipped, standing, catalogue),
    exposed,
    counts: { exposed: chosen.length, discovered: catalogue.tools.length, filtered: catalogue.tools.length - chosen.length },
    servers: {
      configured: catalogue.servers.length,
      enabled: catalogue.servers.length - of("disabled").length,
      available: of("available").length,
      unavailable: of("unavailable").map(({ name, error }) => ({ name, reason: error ?? "it is not there" })),
    },
    warnings: [
      ...missing.map((name) => `${name} is not there.`),
      ...others.map((name) => `${name} is not what it was; equip again with acceptChanges.`),
    ],
    tokens: tokensOf(chosen.map(({ tool }) => tool)),
    mode: profileMode(standing),
    revision: standing.revision,
  });
}
