import type { Toolset } from "../protocol/toolset.ts";
import { availableTools, changed, profileMode, tokensOf, toolsetRow, unchanged, type ToolsetResult } from "./tool-result.ts";
import type { ToolCatalog } from "./catalog.ts";
import type { InputOf } from "./definition.ts";
import { failure, suggested, type Failure } from "./failure.ts";
import { availableChosenTools, toolsetGaps } from "./listing.ts";
import { toolsetOf, type ToolsetState, type ToolsetEvent } from "./toolset-state.ts";

export function equip(
  { name, acceptChanges = false }: InputOf<"equip-toolset">,
  standing: ToolsetState,
  catalogue: ToolCatalog,
  now: number,
): ToolsetResult | Failure {
  const saved = toolsetOf(standing, name);
  if (!saved) return failure("not_found", `There is no toolset ${name}.`, suggested(name, Object.keys(standing.toolsets)));
  return equipping(saved, [], acceptChanges, standing, catalogue, now);
}

/** Equips a toolset, after `before`, which saves it; or says why none of its tools could be used. */
export function equipping(
  saved: Toolset,
  before: readonly ToolsetEvent[],
  acceptChanges: boolean,
  standing: ToolsetState,
  catalogue: ToolCatalog,
  now: number,
): ToolsetResult | Failure {
  const gaps = toolsetGaps(saved, catalogue);
  const isAccepting = acceptChanges && gaps.changed.length > 0;
  const toolset = isAccepting ? accepting(saved, catalogue, now) : saved;
  const chosen = availableChosenTools(toolset, catalogue);
  if (chosen.length === 0) return failure("unavailable", unusable(saved.name, gaps), [...gaps.missing, ...gaps.changed]);
  const is = chosen.map(({ tool }) => tool.name);
  const was =
    standing.equipped && !standing.configuring ? availableChosenTools(standing.equipped, catalogue).map(({ tool }) => tool.name) : [];
  const answer = (after: ToolsetState, isChanged: boolean) => ({
    toolset: toolsetRow(toolset, after, catalogue),
    mode: profileMode(after),
    changed: isChanged,
    added: is.filter((tool) => !was.includes(tool)),
    removed: was.filter((tool) => !is.includes(tool)),
    missing: gaps.missing,
    withheld: isAccepting ? [] : gaps.changed,
    tokens: tokensOf(chosen.map(({ tool }) => tool)),
    availableTools: availableTools(after, catalogue).map(({ name }) => name),
    revision: after.revision,
    ...(!isAccepting && gaps.changed.length > 0
      ? { warning: "Tools that are not what they were when they were chosen are withheld; acceptChanges takes them as they are." }
      : {}),
  });
  const isSame = standing.equipped !== null && JSON.stringify(standing.equipped) === JSON.stringify(toolset);
  const events: ToolsetEvent[] = [
    ...before,
    ...(isAccepting ? [{ type: "toolset.saved", toolset } as const] : []),
    ...(isSame && before.length === 0 ? [] : [{ type: "toolset.equipped", name: toolset.name } as const]),
    ...(standing.configuring ? [{ type: "configuration.left" } as const] : []),
  ];
  if (events.length === 0) return unchanged(standing, answer(standing, false));
  return changed(events, standing, catalogue, (after) => answer(after, true));
}

/** The toolset with its tools as they are now. */
function accepting(toolset: Toolset, catalogue: ToolCatalog, now: number): Toolset {
  const known = new Map(catalogue.tools.map(({ name, refId }) => [name, refId]));
  return { ...toolset, modifiedAt: now, tools: toolset.tools.map((pin) => ({ ...pin, hash: known.get(pin.name) ?? pin.hash })) };
}

function unusable(name: string, { missing, changed: others }: ReturnType<typeof toolsetGaps>): string {
  if (others.length === 0) return `None of the tools of ${name} is there, so nothing was changed. Missing: ${missing.join(", ")}.`;
  return `No tool of ${name} can be used as it was chosen, so nothing was changed. Changed: ${others.join(", ")}; look at them, then call with acceptChanges: true.`;
}
