import type { Mode } from "../protocol/mode.ts";

/** Types a built-in mode. A test checks each against the schema for modes from files. */
export const defineMode = (mode: Mode): Mode => mode;

/** Formats sentences as a list for a model. */
export const bulletList = (...sentences: readonly string[]): string => sentences.map((sentence) => `- ${sentence}`).join("\n");
