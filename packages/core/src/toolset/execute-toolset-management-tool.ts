import type * as z from "zod";
import { annotateToolset } from "./add-tool-annotation.ts";
import { buildToolset } from "./build-toolset.ts";
import type { ToolCatalog } from "./tool-catalog.ts";
import { toolsetInputs, type InputOf, type ToolsetTool } from "./toolset-inputs.ts";
import { equipToolset } from "./equip-toolset.ts";
import { toolsetFailure, type ToolsetFailure } from "./toolset-tool-failure.ts";
import { listAvailableTools } from "./list-available-tools.ts";
import {
  describeActiveToolset,
  enterConfiguration,
  exitConfiguration,
  listSavedToolsets,
  deleteSavedToolset,
  unequipActiveToolset,
} from "./toolset-handlers.ts";
import type { ToolsetResult, ToolsetAnswer } from "./toolset-result.ts";
import type { ToolsetState } from "./toolset-selection-state.ts";

/**
 * Executes a call of one of the ten toolset tools. Returns the events of the change and the answer, or a failure that changes nothing.
 * Pure: the same arguments give the same result.
 */
export function executeToolsetManagementTool(
  tool: ToolsetTool,
  args: unknown,
  state: ToolsetState,
  catalog: ToolCatalog,
  now: number,
): ToolsetResult | ToolsetFailure {
  const parsed = toolsetInputs[tool].safeParse(args ?? {});
  if (!parsed.success) return toolsetFailure("invalid_argument", describeErrors(parsed.error));
  const input = parsed.data;
  const expected = "expectedRevision" in input ? input.expectedRevision : undefined;
  if (expected !== undefined && expected !== state.revision)
    return toolsetFailure("conflict", `The revision is now ${state.revision}, not ${expected}. Read the current state, then decide.`);
  return perform(tool, input, state, catalog, now);
}

/** `input` has already been parsed by the schema of the same tool. */
function perform(
  tool: ToolsetTool,
  input: unknown,
  state: ToolsetState,
  catalog: ToolCatalog,
  now: number,
): ToolsetResult | ToolsetFailure {
  switch (tool) {
    case "enter-configuration-mode":
      return enterConfiguration(state, catalog);
    case "exit-configuration-mode":
      return exitConfiguration(state, catalog);
    case "list-available-tools":
      return listAvailableTools(input as InputOf<typeof tool>, state, catalog);
    case "build-toolset":
      return buildToolset(input as InputOf<typeof tool>, state, catalog, now);
    case "list-saved-toolsets":
      return listSavedToolsets(state, catalog);
    case "equip-toolset":
      return equipToolset(input as InputOf<typeof tool>, state, catalog, now);
    case "unequip-toolset":
      return unequipActiveToolset(state, catalog);
    case "delete-toolset":
      return deleteSavedToolset(input as InputOf<typeof tool>, state, catalog);
    case "get-active-toolset":
      return describeActiveToolset(state, catalog);
    case "add-tool-annotation":
      return annotateToolset(input as InputOf<typeof tool>, state, catalog, now);
  }
}

const describeErrors = ({ issues }: z.ZodError): string =>
  issues
    .slice(0, 5)
    .map(({ path, message }) => `${path.length > 0 ? `${path.map(String).join(".")}: ` : ""}${message}`)
    .join("; ");

export type { ToolsetResult, ToolsetAnswer };
