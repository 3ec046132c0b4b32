import type { Note, Toolset } from "../protocol/toolset.ts";
import { sanitize } from "../text/sanitize.ts";
import { changed, unchanged, type ToolsetResult } from "./tool-result.ts";
import { findTool, refName, type ToolCatalog } from "./catalog.ts";
import { MAX_NOTES, type InputOf } from "./definition.ts";
import { failure, suggested, type Failure } from "./failure.ts";
import { toolsetOf, type ToolsetState } from "./toolset-state.ts";

/** Notes are kept with the toolset as it is now: what is equipped may be what it was before it was built over. */
export function annotate(
  { toolRef, notes, replace = false }: InputOf<"add-tool-annotation">,
  standing: ToolsetState,
  catalogue: ToolCatalog,
  now: number,
): ToolsetResult | Failure {
  const { equipped } = standing;
  if (!equipped)
    return failure("not_equipped", "Notes belong to the equipped toolset, and none is equipped.", Object.keys(standing.toolsets).sort());
  const tool = findTool(catalogue, toolRef);
  const inSet = equipped.tools.map(({ name }) => name);
  if (!tool) return failure("not_found", `There is no tool ${refName(toolRef)}.`, suggested(refName(toolRef), inSet));
  if (!inSet.includes(tool.name)) return failure("not_in_toolset", `${tool.name} is not in the toolset ${equipped.name}.`, inSet);
  const library = toolsetOf(standing, equipped.name);
  const pin = library?.tools.find(({ name }) => name === tool.name);
  if (!library || !pin)
    return failure(
      "not_in_toolset",
      `The toolset ${equipped.name} ${library ? `was built anew without ${tool.name}` : "was deleted"}, so there is nothing to keep a note with.`,
      library?.tools.map(({ name }) => name),
    );
  const { kept, added, replaced, skipped } = merge(pin.notes, notes, replace);
  const length = kept.reduce((sum, { note }) => sum + note.length, 0);
  if (length > MAX_NOTES)
    return failure("limit", `The notes of a tool have at most ${MAX_NOTES} letters in all; these would have ${length}. Nothing was added.`);
  const answer = { tool: tool.name, added, replaced, skipped };
  if (added.length + replaced.length === 0) return unchanged(standing, { ...answer, revision: standing.revision });
  const toolset: Toolset = {
    ...library,
    modifiedAt: now,
    tools: library.tools.map((each) => (each.name === tool.name ? { ...each, notes: kept } : each)),
  };
  return changed([{ type: "toolset.saved", toolset, noted: tool.name }], standing, catalogue, (after) => ({
    ...answer,
    revision: after.revision,
  }));
}

type Merged = { kept: Note[]; added: string[]; replaced: string[]; skipped: string[] };

/** A note whose name is there already is left out, or takes its place. */
function merge(before: readonly Note[], notes: readonly Note[], replace: boolean): Merged {
  const kept = new Map(before.map(({ name, note }) => [name, note]));
  const merged: Omit<Merged, "kept"> = { added: [], replaced: [], skipped: [] };
  for (const { name, note } of notes) {
    const is = kept.has(name);
    if (is && (!replace || kept.get(name) === sanitize(note))) {
      merged.skipped.push(name);
      continue;
    }
    merged[is ? "replaced" : "added"].push(name);
    kept.set(name, sanitize(note));
  }
  return { ...merged, kept: [...kept].map(([name, note]) => ({ name, note })) };
}
