import { applyEdits, findNodeAtLocation, modify, parseTree } from "jsonc-parser";
import { FORMAT, type ConfigEditor, type EditResult } from "./edit-jsonc.ts";

/** Puts the toolset of a mode into the config, or takes it out when there is none. Comments stay. */
export function setModeToolset(edit: ConfigEditor, mode: string, toolset: string | undefined): Promise<EditResult> {
  return edit((before) => {
    const place = ["modes", mode, "toolset"];
    const root = parseTree(before, [], { allowTrailingComma: true });
    if (toolset === undefined && !(root && findNodeAtLocation(root, place))) return undefined;
    return applyEdits(before, modify(before, place, toolset, FORMAT));
  });
}
