import type { CallId } from "./ids.ts";

/** A passing sight, never logged. `offset` counts UTF-16 units from the start of the text, so a client that comes back overwrites. */
export type StreamFrame =
  | { type: "text"; step: number; attempt: number; offset: number; text: string }
  | { type: "reasoning"; step: number; attempt: number; offset: number; text: string }
  /** The arguments of a call as they come: the `index`th call of the step, as text that is no whole JSON yet. */
  | { type: "call"; step: number; attempt: number; index: number; tool: string; offset: number; text: string }
  | { type: "output"; callId: CallId; offset: number; text: string }
  | { type: "stalled"; message: string | null };
