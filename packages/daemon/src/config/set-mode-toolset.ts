import { applyEdits, findNodeAtLocation, modify, parseTree } from "jsonc-parser";
import { FORMAT, type Edit, type Edited } from "./edit-jsonc.ts";

/** Puts the toolset of a mode into the config, or takes it out when there is none. Comments stay. */
export function changeToolsetOfMode(edit: Edit, mode: string, toolset: string | undefined): Promise<Edited> {
  return edit((before) => {
    const place = ["modes", mode, "toolset"];
    const root = parseTree(before, [], { allowTrailingComma: true });
    if (toolset === undefined && !(root && findNodeAtLocation(root, place))) return undefined;
    return applyEdits(before, modify(before, place, toolset, FORMAT));
  });
}
