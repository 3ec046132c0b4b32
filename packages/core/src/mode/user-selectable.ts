import type { Mode } from "../protocol/mode.ts";

/** Whether a person may want to choose this mode; the others are for delegation, or hidden by their own definition. */
export const userSelectable = ({ kind, hidden = false }: Pick<Mode, "kind" | "hidden">): boolean => kind !== "subagent" && !hidden;
