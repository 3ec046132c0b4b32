import type { Mode } from "../protocol/mode.ts";

/** A built-in mode is data. A test holds each against the schema that modes from files go through. */
export const defineMode = (mode: Mode): Mode => mode;
