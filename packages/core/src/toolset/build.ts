import type { Pin, Toolset } from "../protocol/toolset.ts";
import { changed, profileMode, toolsetRow, type ToolsetResult } from "./tool-result.ts";
import { findTool, refName, type ToolCatalog, type CatalogTool, type ToolRef } from "./catalog.ts";
import type { InputOf } from "./definition.ts";
import { equipping } from "./equip.ts";
import { failure, suggested, type Failure } from "./failure.ts";
import { toolsetOf, type ToolsetState, type ToolsetEvent } from "./toolset-state.ts";

export function build(
  input: InputOf<"build-toolset">,
  standing: ToolsetState,
  catalogue: ToolCatalog,
  now: number,
): ToolsetResult | Failure {
  const { name, autoEquip = false, replace = false, description = "" } = input;
  const before = toolsetOf(standing, name);
  if (before && !replace)
    return failure(
      "already_exists",
      `There is a toolset ${name} already. Take another name, or replace: true.`,
      Object.keys(standing.toolsets),
    );
  const found = resolve(input.tools, catalogue);
  if ("ok" in found) return found;
  const toolset: Toolset = {
    name,
    description,
    tools: found.tools.map((tool): Pin => ({ name: tool.name, hash: tool.refId, notes: notesBefore(before, tool.name) })),
    createdAt: before?.createdAt ?? now,
    modifiedAt: now,
  };
  const saved: ToolsetEvent = { type: "toolset.saved", toolset };
  const answer = (after: ToolsetState) => ({
    toolset: toolsetRow(toolset, after, catalogue),
    equipped: after.equipped?.name === name,
    mode: profileMode(after),
    revision: after.revision,
    ...(found.doubled.length > 0 ? { dropped: found.doubled } : {}),
  });
  if (!autoEquip) return changed([saved], standing, catalogue, answer);
  const equipped = equipping(toolset, [saved], false, standing, catalogue, now);
  if (!equipped.ok) {
    const built = changed([saved], standing, catalogue, answer);
    return { ...built, answer: { ...built.answer, equipped: false, notEquipped: equipped.message } };
  }
  return { ...equipped, answer: { ...equipped.answer, ...answer(equipped.after) } };
}

const notesBefore = (before: Toolset | undefined, name: string): Pin["notes"] =>
  before?.tools.find((pin) => pin.name === name)?.notes ?? [];

/** The tools that are named, each once; or all that are not there, with what was most likely meant. */
function resolve(refs: readonly ToolRef[], catalogue: ToolCatalog): { tools: CatalogTool[]; doubled: string[] } | Failure {
  const unknown = refs.filter((ref) => !findTool(catalogue, ref)).map(refName);
  if (unknown.length > 0) {
    const names = catalogue.tools.map(({ name }) => name);
    return failure("not_found", `Nothing was built: there is no tool ${unknown.join(", ")}. list-available-tools lists those there are.`, [
      ...new Set(unknown.flatMap((name) => suggested(name, names).slice(0, 3))),
    ]);
  }
  const tools = new Map<string, CatalogTool>();
  const doubled: string[] = [];
  for (const tool of refs.flatMap((ref) => findTool(catalogue, ref) ?? [])) {
    if (tools.has(tool.name)) doubled.push(tool.name);
    else tools.set(tool.name, tool);
  }
  return { tools: [...tools.values()], doubled };
}
