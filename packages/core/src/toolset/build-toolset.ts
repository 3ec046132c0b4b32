import type { PinnedTool, Toolset } from "../protocol/toolset/toolset-profile.ts";
import { changedResult, toolsetMode, toolsetRow, type ToolsetResult } from "./toolset-result.ts";
import { findTool, refName, type ToolCatalog, type CatalogTool, type ToolRef } from "./tool-catalog.ts";
import type { InputOf } from "./toolset-inputs.ts";
import { equipSavedToolset } from "./equip-toolset.ts";
import { toolsetFailure, suggestNames, type ToolsetFailure } from "./toolset-tool-failure.ts";
import { toolsetOf, type ToolsetState, type ToolsetEvent } from "./toolset-selection-state.ts";

export function buildToolset(
  input: InputOf<"build-toolset">,
  state: ToolsetState,
  catalog: ToolCatalog,
  now: number,
): ToolsetResult | ToolsetFailure {
  const { name, autoEquip = false, replace = false, description = "" } = input;
  const before = toolsetOf(state, name);
  if (before && !replace)
    return toolsetFailure(
      "already_exists",
      `A toolset ${name} already exists. Use another name, or pass replace: true.`,
      Object.keys(state.toolsets),
    );
  const found = resolve(input.tools, catalog);
  if ("ok" in found) return found;
  const toolset: Toolset = {
    name,
    description,
    tools: found.tools.map((tool): PinnedTool => ({ name: tool.name, hash: tool.refId, notes: notesBefore(before, tool.name) })),
    createdAt: before?.createdAt ?? now,
    modifiedAt: now,
  };
  const saved: ToolsetEvent = { type: "toolset.saved", toolset };
  const answer = (after: ToolsetState) => ({
    toolset: toolsetRow(toolset, after, catalog),
    equipped: after.equipped?.name === name,
    mode: toolsetMode(after),
    revision: after.revision,
    ...(found.duplicates.length > 0 ? { dropped: found.duplicates } : {}),
  });
  if (!autoEquip) return changedResult([saved], state, catalog, answer);
  const equipped = equipSavedToolset(toolset, [saved], false, state, catalog, now);
  if (!equipped.ok) {
    const built = changedResult([saved], state, catalog, answer);
    return { ...built, answer: { ...built.answer, equipped: false, notEquipped: equipped.message } };
  }
  return { ...equipped, answer: { ...equipped.answer, ...answer(equipped.after) } };
}

const notesBefore = (before: Toolset | undefined, name: string): PinnedTool["notes"] =>
  before?.tools.find((pin) => pin.name === name)?.notes ?? [];

/** Looks up the tools, each once. Fails with all unknown names and the closest matches. */
function resolve(refs: readonly ToolRef[], catalog: ToolCatalog): { tools: CatalogTool[]; duplicates: string[] } | ToolsetFailure {
  const unknown = refs.filter((ref) => !findTool(catalog, ref)).map(refName);
  if (unknown.length > 0) {
    const names = catalog.tools.map(({ name }) => name);
    return toolsetFailure(
      "not_found",
      `No toolset was built, because these tools do not exist: ${unknown.join(", ")}. list-available-tools lists all tools.`,
      [...new Set(unknown.flatMap((name) => suggestNames(name, names).slice(0, 3)))],
    );
  }
  const tools = new Map<string, CatalogTool>();
  const duplicates: string[] = [];
  for (const tool of refs.flatMap((ref) => findTool(catalog, ref) ?? [])) {
    if (tools.has(tool.name)) duplicates.push(tool.name);
    else tools.set(tool.name, tool);
  }
  return { tools: [...tools.values()], duplicates };
}
