import type { CallId } from "../ids.ts";

/** A live update that is never logged. `offset` counts UTF-16 units from the start of the text, so a client that reconnects overwrites. */
export type StreamFrame =
  | { type: "text"; step: number; attempt: number; offset: number; text: string }
  | { type: "reasoning"; step: number; attempt: number; offset: number; text: string }
  /** The arguments of the step's call number `index` as they arrive: text that is not complete JSON yet. */
  | { type: "call"; step: number; attempt: number; index: number; tool: string; offset: number; text: string }
  | { type: "output"; callId: CallId; offset: number; text: string }
  | { type: "stalled"; message: string | null };
