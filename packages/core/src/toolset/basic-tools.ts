import { availableTools, changed, modeOf, tokensOf, toolsetRow, unchanged, type Acted } from "./tool-result.ts";
import type { Catalogue } from "./catalog.ts";
import type { InputOf } from "./definition.ts";
import { failure, suggested, type Failure } from "./failure.ts";
import { chosenOf, gapsOf } from "./listing.ts";
import { toolsetOf, type Standing } from "./toolset-state.ts";

export function enter(standing: Standing, catalogue: Catalogue): Acted {
  const answer = (after: Standing, isChanged: boolean) => ({
    mode: modeOf(after),
    changed: isChanged,
    revision: after.revision,
    toolset: after.equipped?.name ?? null,
    availableTools: availableTools(after, catalogue),
  });
  if (standing.configuring) return unchanged(standing, answer(standing, false));
  return changed([{ type: "configuration.entered" }], standing, catalogue, (after) => answer(after, true));
}

export function exit(standing: Standing, catalogue: Catalogue): Acted {
  const answer = (after: Standing, isChanged: boolean) => {
    const { equipped } = after;
    const { missing } = equipped ? gapsOf(equipped, catalogue) : { missing: [] };
    return {
      mode: modeOf(after),
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

export function listSaved(standing: Standing, catalogue: Catalogue): Acted {
  const toolsets = Object.values(standing.toolsets)
    .map((toolset) => toolsetRow(toolset, standing, catalogue))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  return unchanged(standing, { toolsets, revision: standing.revision });
}

/** Ends in configuration mode, whatever was before. */
export function unequip(standing: Standing, catalogue: Catalogue): Acted {
  const previous = standing.equipped?.name ?? null;
  const answer = (after: Standing) => ({
    changed: after !== standing,
    previous,
    mode: modeOf(after),
    revision: after.revision,
    availableTools: availableTools(after, catalogue).map(({ name }) => name),
  });
  const events = [...(previous === null ? [] : [{ type: "toolset.unequipped" } as const]), ...entering(standing)];
  return events.length === 0 ? unchanged(standing, answer(standing)) : changed(events, standing, catalogue, answer);
}

const entering = ({ configuring }: Standing): { type: "configuration.entered" }[] =>
  configuring ? [] : [{ type: "configuration.entered" }];

export function remove({ name, confirm }: InputOf<"delete-toolset">, standing: Standing, catalogue: Catalogue): Acted | Failure {
  if (!confirm) return failure("invalid_argument", `Deleting ${name} is for good. Call again with confirm: true if that is meant.`);
  if (!toolsetOf(standing, name))
    return failure("not_found", `There is no toolset ${name}.`, suggested(name, Object.keys(standing.toolsets)));
  const wasActive = standing.equipped?.name === name;
  const before = wasActive ? [{ type: "toolset.unequipped" } as const, ...entering(standing)] : [];
  return changed([...before, { type: "toolset.deleted", name }], standing, catalogue, (after) => ({
    deleted: name,
    wasActive,
    mode: modeOf(after),
    revision: after.revision,
  }));
}

export function active(standing: Standing, catalogue: Catalogue): Acted {
  const { equipped } = standing;
  const chosen = equipped ? chosenOf(equipped, catalogue) : [];
  const { missing, changed: others } = equipped ? gapsOf(equipped, catalogue) : { missing: [], changed: [] };
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
    mode: modeOf(standing),
    revision: standing.revision,
  });
}
