import { Mode } from "../protocol/mode.ts";

/** A built-in mode is data, held against the schema that modes from files go through. */
export const defineMode = (mode: Mode): Mode => Mode.parse(mode);
