import { applyEdits, modify } from "jsonc-parser";
import { FORMAT, type Edit, type Edited } from "./edit.ts";

/** Puts the toolset of a mode into the config, or takes it out when there is none. Comments stay. */
export function changeToolsetOfMode(edit: Edit, mode: string, toolset: string | undefined): Promise<Edited> {
  return edit((before) => applyEdits(before, modify(before, ["modes", mode, "toolset"], toolset, FORMAT)));
}
