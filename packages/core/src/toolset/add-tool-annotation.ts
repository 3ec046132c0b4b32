import type { ToolNote, Toolset } from "../protocol/toolset/toolset-profile.ts";
import { sanitize } from "../text/sanitize.ts";
import { changedResult, unchangedResult, type ToolsetResult } from "./toolset-result.ts";
import { findTool, refName, type ToolCatalog } from "./tool-catalog.ts";
import { MAX_NOTES_LENGTH, type InputOf } from "./toolset-inputs.ts";
import { toolsetFailure, suggestNames, type ToolsetFailure } from "./toolset-tool-failure.ts";
import { toolsetOf, type ToolsetState } from "./toolset-selection-state.ts";

/** Adds notes to the saved toolset. The equipped toolset may be an earlier version of it. */
export function annotateToolset(
  { toolRef, notes, replace = false }: InputOf<"add-tool-annotation">,
  state: ToolsetState,
  catalog: ToolCatalog,
  now: number,
): ToolsetResult | ToolsetFailure {
  const { equipped } = state;
  if (!equipped)
    return toolsetFailure(
      "not_equipped",
      "Notes belong to the equipped toolset, and none is equipped.",
      Object.keys(state.toolsets).sort(),
    );
  const tool = findTool(catalog, toolRef);
  const inSet = equipped.tools.map(({ name }) => name);
  if (!tool) return toolsetFailure("not_found", `There is no tool ${refName(toolRef)}.`, suggestNames(refName(toolRef), inSet));
  if (!inSet.includes(tool.name)) return toolsetFailure("not_in_toolset", `${tool.name} is not in the toolset ${equipped.name}.`, inSet);
  const saved = toolsetOf(state, equipped.name);
  const pin = saved?.tools.find(({ name }) => name === tool.name);
  if (!saved || !pin)
    return toolsetFailure(
      "not_in_toolset",
      `The toolset ${equipped.name} ${saved ? `was rebuilt without ${tool.name}` : "was deleted"}, so a note cannot be saved with it.`,
      saved?.tools.map(({ name }) => name),
    );
  const { notes: merged, added, replaced, skipped } = mergeNotes(pin.notes, notes, replace);
  const length = merged.reduce((sum, { note }) => sum + note.length, 0);
  if (length > MAX_NOTES_LENGTH)
    return toolsetFailure(
      "limit",
      `The notes of a tool may have at most ${MAX_NOTES_LENGTH} characters in total; these would have ${length}. Nothing was added.`,
    );
  const answer = { tool: tool.name, added, replaced, skipped };
  if (added.length + replaced.length === 0) return unchangedResult(state, { ...answer, revision: state.revision });
  const toolset: Toolset = {
    ...saved,
    modifiedAt: now,
    tools: saved.tools.map((each) => (each.name === tool.name ? { ...each, notes: merged } : each)),
  };
  return changedResult([{ type: "toolset.saved", toolset, noted: tool.name }], state, catalog, (after) => ({
    ...answer,
    revision: after.revision,
  }));
}

type MergedNotes = { notes: ToolNote[]; added: string[]; replaced: string[]; skipped: string[] };

/** Merges notes by name. `replace`: a new note replaces an existing one of the same name; otherwise the new one is skipped. */
function mergeNotes(before: readonly ToolNote[], notes: readonly ToolNote[], replace: boolean): MergedNotes {
  const byName = new Map(before.map(({ name, note }) => [name, note]));
  const names: Omit<MergedNotes, "notes"> = { added: [], replaced: [], skipped: [] };
  for (const { name, note } of notes) {
    const exists = byName.has(name);
    if (exists && (!replace || byName.get(name) === sanitize(note))) {
      names.skipped.push(name);
      continue;
    }
    names[exists ? "replaced" : "added"].push(name);
    byName.set(name, sanitize(note));
  }
  return { ...names, notes: [...byName].map(([name, note]) => ({ name, note })) };
}
