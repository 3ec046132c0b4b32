import { applyEdits, modify } from "jsonc-parser";
import { editConfig, FORMAT } from "./edit.ts";

/** Puts the toolset of a mode into the config, or takes it out when there is none. Comments stay. */
export async function changeToolsetOfMode(file: string, mode: string, toolset: string | undefined): Promise<void> {
  await editConfig(file, (before) => applyEdits(before, modify(before, ["modes", mode, "toolset"], toolset, FORMAT)));
}
