import type { Mode } from "../protocol/mode.ts";

/** True if users can select this mode. The others are for delegation or hidden by their definition. */
export const userSelectable = ({ kind, hidden = false }: Pick<Mode, "kind" | "hidden">): boolean => kind !== "subagent" && !hidden;
