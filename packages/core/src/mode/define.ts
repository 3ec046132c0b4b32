import type { Mode } from "../protocol/mode.ts";

/** A built-in mode is data. A test holds each against the schema that modes from files go through. */
export const defineMode = (mode: Mode): Mode => mode;

/** Sentences as a list that a model reads. */
export const lines = (...sentences: readonly string[]): string => sentences.map((sentence) => `- ${sentence}`).join("\n");
