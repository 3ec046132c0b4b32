import type * as z from "zod";
import { annotate } from "./annotate.ts";
import { build } from "./build.ts";
import type { ToolCatalog } from "./catalog.ts";
import { inputs, type InputOf, type ToolsetTool } from "./definition.ts";
import { equip } from "./equip.ts";
import { failure, type Failure } from "./failure.ts";
import { listAvailable } from "./list-available.ts";
import { active, enter, exit, listSaved, remove, unequip } from "./basic-tools.ts";
import type { ToolsetResult, ToolsetAnswer } from "./tool-result.ts";
import type { ToolsetState } from "./toolset-state.ts";

/**
 * What a call of one of the ten tools becomes: the events of the change and the answer, or why nothing is done. Pure: the
 * same standing, call, catalogue and time give the same. A failure leaves all as it was.
 */
export function executeToolsetTool(
  tool: ToolsetTool,
  given: unknown,
  standing: ToolsetState,
  catalogue: ToolCatalog,
  now: number,
): ToolsetResult | Failure {
  const parsed = inputs[tool].safeParse(given ?? {});
  if (!parsed.success) return failure("invalid_argument", wrong(parsed.error));
  const input = parsed.data;
  const expected = "expectedRevision" in input ? input.expectedRevision : undefined;
  if (expected !== undefined && expected !== standing.revision)
    return failure("conflict", `The revision is ${standing.revision} by now, not ${expected}. Look again, then decide.`);
  return perform(tool, input, standing, catalogue, now);
}

/** The input was read by the schema of the same tool. */
function perform(tool: ToolsetTool, input: unknown, standing: ToolsetState, catalogue: ToolCatalog, now: number): ToolsetResult | Failure {
  switch (tool) {
    case "enter-configuration-mode":
      return enter(standing, catalogue);
    case "exit-configuration-mode":
      return exit(standing, catalogue);
    case "list-available-tools":
      return listAvailable(input as InputOf<typeof tool>, standing, catalogue);
    case "build-toolset":
      return build(input as InputOf<typeof tool>, standing, catalogue, now);
    case "list-saved-toolsets":
      return listSaved(standing, catalogue);
    case "equip-toolset":
      return equip(input as InputOf<typeof tool>, standing, catalogue, now);
    case "unequip-toolset":
      return unequip(standing, catalogue);
    case "delete-toolset":
      return remove(input as InputOf<typeof tool>, standing, catalogue);
    case "get-active-toolset":
      return active(standing, catalogue);
    case "add-tool-annotation":
      return annotate(input as InputOf<typeof tool>, standing, catalogue, now);
  }
}

const wrong = ({ issues }: z.ZodError): string =>
  issues
    .slice(0, 5)
    .map(({ path, message }) => `${path.length > 0 ? `${path.map(String).join(".")}: ` : ""}${message}`)
    .join("; ");

export type { ToolsetResult, ToolsetAnswer };
